// Draws a graph whose positions are given. Names are text everywhere: vis-network draws labels on a
// canvas and puts string titles into the tooltip as text.

// The drawing script comes once and on its own, so that a growing chain does not send it again.
const whenLoaded = (draw) => {
  if (globalThis.iragVis) draw(globalThis.iragVis);
  else globalThis.addEventListener("irag-vis", () => draw(globalThis.iragVis), { once: true });
};

export default function ({ data, parentElement, setStateValue }) {
  const holder = parentElement.querySelector(".graph");
  holder.setAttribute("aria-label", data.label);
  holder.style.height = `${data.height}px`;
  whenLoaded((vis) => draw(vis, holder, data, setStateValue));
  return () => holder.cleanUp?.();
}

function draw(vis, holder, data, setStateValue) {
  const theme = getComputedStyle(holder);
  const said = (name, fallback) => theme.getPropertyValue(name).trim() || fallback;
  const color = said("--st-text-color", "#333333");
  const strokeColor = said("--st-background-color", "#ffffff");
  const face = said("--st-font", "sans-serif");

  const signature = JSON.stringify([data, color, strokeColor]);
  if (holder.signature === signature) return;
  holder.cleanUp?.();
  holder.signature = signature;

  const written = (unit) => ({
    ...unit,
    font: { ...unit.font, face, color, strokeWidth: 3, strokeColor },
  });
  const network = new vis.Network(
    holder,
    { nodes: data.nodes.map(written), edges: data.edges.map(written) },
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

  const resized = new ResizeObserver(() => {
    network.setSize("100%", "100%");
    network.redraw();
    network.fit({ maxZoomLevel: 1 });
  });
  resized.observe(holder);
  holder.cleanUp = () => {
    resized.disconnect();
    network.destroy();
    holder.signature = "";
    holder.cleanUp = null;
  };
}
