/* Random cities in the dialog of instances: their picture as soon as class, number or seed change, and one sentence. */
(function (TourScope) {
  "use strict";

  const PAUSE = 120; // milliseconds without a change before the server is asked
  const LABELS = { n: "Cities", seed: "Seed" };
  const field = (name) => TourScope.byId(`generator-${name}`);
  const { integer } = TourScope.format;

  let asked = { generate: "uniform", n: 0, seed: 0 };
  let timer = 0;

  /** What is wrong with the first value that cannot be, or nothing; such fields are marked. */
  function fault() {
    let sentence = "";
    for (const name of ["n", "seed"]) {
      const { min, max } = field(name);
      const good = Number.isInteger(asked[name]) && asked[name] >= Number(min) && asked[name] <= Number(max);
      field(name).setAttribute("aria-invalid", String(!good));
      const range = `a whole number from ${integer(Number(min))} to ${integer(Number(max))}`;
      if (!good && !sentence) sentence = `${LABELS[name]}: fill in ${range}.`;
    }
    return sentence;
  }

  function say(sentence) {
    const generator = TourScope.byId("generator");
    const note = TourScope.byId("generator-note");
    window.dash_clientside.set_props("generator-note", { children: sentence || generator.dataset[asked.generate] });
    note.classList.toggle("refusal", Boolean(sentence));
    TourScope.byId("generator-use").disabled = Boolean(sentence);
  }

  async function draw() {
    const reference = asked;
    const card = await TourScope.shelf.one(reference);
    if (reference !== asked) return;
    say(card.sentence || "");
    if (!card.sentence) TourScope.thumbnail.show(document.querySelector("#generator canvas"), card);
  }

  /** Show the cities of a class, a number and a seed: now, or when the dialog is opened. */
  function show(generate, n, seed) {
    asked = { generate, n, seed };
    if (TourScope.byId("library").open) renew();
  }

  function renew() {
    window.clearTimeout(timer);
    const sentence = fault();
    say(sentence);
    if (!sentence) timer = window.setTimeout(draw, PAUSE);
  }

  TourScope.when(
    () => TourScope.byId("generator-use"),
    (button) => button.addEventListener("click", () => TourScope.library.choose(JSON.stringify(asked))),
  );
  TourScope.on("library", renew);
  TourScope.generator = { show };
})((window.TourScope = window.TourScope || {}));
