// Draws a graph whose positions are given; `vis` stands before this text. Names are text everywhere:
// vis-network draws labels on a canvas and puts string titles into the tooltip as text.

export default function ({ data, parentElement, setStateValue }) {
  const holder = parentElement.querySelector(".graph");
  const theme = getComputedStyle(holder);
  const colour = (name, fallback) => theme.getPropertyValue(name).trim() || fallback;
  const ink = colour("--st-text-color", "#333333");
  const paper = colour("--st-background-color", "#ffffff");
  holder.setAttribute("aria-label", data.label);
  holder.style.height = `${data.height}px`;

  const signature = JSON.stringify([data, ink, paper]);
  if (holder.signature === signature) return holder.cleanUp;
  holder.cleanUp?.();
  holder.signature = signature;

  const face = colour("--st-font", "sans-serif");
  const written = (font) => ({ ...font, face, color: ink, strokeWidth: 3, strokeColor: paper });
  const network = new vis.Network(
    holder,
    {
      nodes: data.nodes.map((node) => ({ ...node, font: written(node.font) })),
      edges: data.edges.map((edge) => ({ ...edge, font: written(edge.font) })),
    },
    {
      physics: false,
      interaction: { hover: true, tooltipDelay: 120, zoomView: false, selectConnectedEdges: false },
      edges: { arrows: { to: { enabled: true, scaleFactor: 0.6 } } },
    },
  );
  // the wheel scrolls the page until the graph was clicked
  const zoom = (zoomView) => network.setOptions({ interaction: { zoomView } });
  network.on("click", () => zoom(true));
  holder.onmouseleave = () => zoom(false);
  network.on("select", ({ nodes, edges }) =>
    setStateValue("selected", nodes[0] ?? edges[0] ?? null),
  );

  const fit = () => {
    network.setSize("100%", "100%");
    network.redraw();
    network.fit({ maxZoomLevel: 1 });
  };
  const resized = new ResizeObserver(fit);
  resized.observe(holder);
  holder.cleanUp = () => {
    resized.disconnect();
    network.destroy();
    holder.signature = "";
  };
  return holder.cleanUp;
}
