// The labelling desk: it holds the keyboard and shows one item at a time.
//
// A press carries the ticket of the item that is on screen. After it nothing is sent until the
// server's next turn is drawn; whatever is pressed in between is counted and ignored. A press that
// is not answered is sent again under its own id, which the server keeps once.

const RESEND = 4000; // ms without an answer
const SETTLE = 120; // ms that an item has to be on screen: nobody reads faster

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".irag-desk");
  root.desk ??= new Desk(root);
  root.desk.update(data, setTriggerValue);
  return () => root.desk?.rest();
}

class Desk {
  constructor(root) {
    this.root = root;
    this.pending = null;
    this.ready = false;
    this.pressed = 0;
    this.early = 0;
    this.signs = new Set();
    this.part = (name) => root.querySelector(`.${name}`);
    this.onKey = (event) => this.key(event);
    root.addEventListener("click", (event) => this.click(event));
    this.part("note").addEventListener("change", () => this.keepNote());
  }

  update(data, send) {
    this.send = send;
    if (!this.listening) document.addEventListener("keydown", this.onKey, true);
    this.listening = true;
    if (this.data?.turn === data.turn) return;
    this.data = data;
    this.pending = null;
    clearTimeout(this.again);
    this.draw();
  }

  rest() {
    document.removeEventListener("keydown", this.onKey, true);
    this.listening = false;
    clearTimeout(this.again);
    document.documentElement.removeAttribute("data-irag-guidelines");
  }

  draw() {
    const { data } = this;
    this.ready = false;
    this.signs = new Set(data.signs);
    this.open("");
    // markup of the server, every text in it escaped there
    for (const name of ["item", "passage", "foot"]) this.part(name).innerHTML = data[name];
    this.part("said").textContent = data.said;
    this.part("undo").hidden = !data.undoes;
    this.part("note").value = data.note;
    this.part("grades").replaceChildren(...data.grades.map((one) => this.grade(one)));
    this.part("signs").replaceChildren(...data.flags.map((one, n) => this.choice(n, one[1])));
    this.part("reasons").replaceChildren(...data.reasons.map((one, n) => this.choice(n, one[1])));
    this.tell();
    const { turn } = data;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (this.data.turn !== turn) return;
        this.shown = performance.now();
        this.ready = true;
        this.root.dataset.item = data.ticket.item;
      }),
    );
  }

  grade({ key, name, meaning, mine }) {
    const button = make("button", mine ? "mine" : "");
    button.append(make("kbd", "", key), make("b", "", name), make("small", "", meaning));
    button.dataset.press = String(key);
    return button;
  }

  choice(n, text) {
    const button = make("button");
    button.append(make("kbd", "", n + 1), make("span", "", text));
    button.dataset.press = String(n + 1);
    return button;
  }

  tell() {
    this.part("early").hidden = !this.early;
    this.part("early").querySelector("b").textContent = this.early;
    [...this.part("signs").children].forEach((button, n) =>
      button.setAttribute("aria-pressed", this.signs.has(this.data.flags[n][0])),
    );
    Object.assign(this.root.dataset, { pressed: this.pressed, early: this.early });
    this.root.dataset.state = this.pending ? "waiting" : "ready";
  }

  key(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inside = event.composedPath()[0];
    if (inside instanceof Element && inside.closest("input, textarea, select, [contenteditable]")) {
      if (event.key === "Escape" && inside === this.part("note")) inside.blur(), this.open("");
      return;
    }
    const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (!this.knows(name)) return;
    event.preventDefault();
    event.stopPropagation();
    this.press(name, true, event.repeat);
  }

  click(event) {
    const button = event.target.closest("button[data-press]");
    if (!button) return;
    button.blur(); // or the next space would press it again
    this.press(button.dataset.press, false, false);
  }

  knows(name) {
    if (!this.root.offsetParent) return false; // the desk is not on screen
    return name === "Escape" ? this.panel !== "" : /^[0-9FSUNPGH]$/.test(name);
  }

  // Whatever is pressed ends here.
  press(name, keyboard, held) {
    const answer = this.answer(name);
    if (!answer) return held ? undefined : this.look(name);
    this.pressed += 1;
    const settled = this.ready && performance.now() - this.shown >= SETTLE;
    if (this.pending || held || !settled) {
      this.early += 1;
      return this.tell();
    }
    this.submit({ ...answer, keyboard });
  }

  // What a key says about the item, null when it only looks.
  answer(name) {
    const { data, panel } = this;
    const digit = /^[0-9]$/.test(name) ? Number(name) : null;
    if (panel === "guidelines") return null;
    if (panel === "signs") return name === "F" ? { state: "flag" } : null;
    if (panel === "reasons") {
      const reason = data.reasons[digit - 1];
      return digit && reason ? { state: "skip", reason: reason[0] } : null;
    }
    if (name === "U") return data.undoes ? { state: "undo", undoes: data.undoes } : null;
    const known = data.grades.some((one) => one.key === digit);
    return known ? { state: "label", grade: digit } : null;
  }

  look(name) {
    if (name === "Escape") return this.open("");
    if (this.panel === "signs" && /^[1-9]$/.test(name)) return this.sign(Number(name) - 1);
    const panels = { F: "signs", S: "reasons", N: "noting", P: "passage", G: "guidelines", H: "help" };
    const panel = panels[name];
    if (panel) this.open(this.panel === panel ? "" : panel);
  }

  sign(n) {
    const flag = this.data.flags[n]?.[0];
    if (!flag) return;
    if (!this.signs.delete(flag)) this.signs.add(flag);
    this.tell();
  }

  open(panel) {
    this.panel = panel;
    this.root.dataset.panel = panel;
    document.documentElement.toggleAttribute("data-irag-guidelines", panel === "guidelines");
    if (panel === "noting") this.part("note").focus();
  }

  keepNote() {
    const text = this.part("note").value;
    if (!this.pending) this.send("noted", { event_id: id(), ...this.data.ticket, note: text });
  }

  submit(answer) {
    this.pending = {
      event_id: id(),
      ...this.data.ticket,
      ...answer,
      flags: [...this.signs],
      note: this.part("note").value,
      active_ms: Math.round(performance.now() - this.shown),
    };
    this.root.dataset.late = "";
    this.post();
    this.tell();
  }

  post() {
    this.send("pressed", this.pending);
    this.again = setTimeout(() => {
      if (!this.pending) return;
      this.root.dataset.late = "yes";
      this.post();
    }, RESEND);
  }
}

function make(kind, className = "", text = null) {
  const made = document.createElement(kind);
  if (className) made.className = className;
  if (text !== null) made.textContent = text;
  if (kind === "button") made.type = "button";
  return made;
}

function id() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
