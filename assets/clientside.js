// The thin layer between Dash's callbacks and the page's scripts: it passes values on and computes nothing of a run.
(function () {
    "use strict";

    const LOG_STEPS = 200;
    const root = document.documentElement;

    const grouped = (number) => window.TourScope.format.integer(number);
    const scope = () => window.TourScope;

    function currentTheme() {
        return root.dataset.bsTheme === "dark" ? "dark" : "light";
    }

    function triggeredId() {
        const triggered = window.dash_clientside.callback_context.triggered_id;
        return triggered === undefined ? null : triggered;
    }

    // The number in a field as the page writes it; of one that cannot be run, nothing.
    function countOf(value, id) {
        const field = document.getElementById(JSON.stringify(id, Object.keys(id).sort()));
        const frame = field && field.closest(".ranged");
        if (!frame || !Number.isInteger(value)) return "";
        const { low, high } = scaleOf(frame);
        return value >= low && value <= high ? grouped(value) : "";
    }

    // A menu value is a name, or a reference as JSON.
    function referenceOf(value) {
        return value.startsWith("{") ? JSON.parse(value) : { name: value };
    }

    // A preview that closes the run which was open takes it from the page's state and address too.
    async function closeWith(previewing) {
        const open = scope().run.id;
        await previewing;
        if (!open || scope().run.id) return;
        window.dash_clientside.set_props("run", { data: null });
        window.dash_clientside.set_props("url", { search: "" });
    }

    window.dash_clientside = Object.assign(window.dash_clientside || {}, {
        tourscope: {
            open(shown) {
                if (!shown || !shown.run) return;
                scope().library.close();
                scope().open(shown.run);
            },
            preview(value) {
                if (!value) return;
                scope().library.mark(value);
                closeWith(scope().preview(referenceOf(value)));
            },
            filterLibrary(...wanted) {
                scope().library.filter(...wanted);
            },
            tellLibrary(options) {
                scope().library.know(options.map((option) => option.value));
            },
            generate(...asked) {
                scope().generator.show(...asked);
            },
            rollSeed() {
                return Math.floor(Math.random() * 1e6);
            },
            showTable(table) {
                if (!table) {
                    scope().table.close();
                    scope().library.close();
                    return window.dash_clientside.callback_context.outputs_list.map(() => window.dash_clientside.no_update);
                }
                scope().table.ask(table);
                const options = table.columns.map(({ name }, k) => ({ label: name, value: String(k) }));
                return [options, options, ...table.guess.map(String), table.kind, ""];
            },
            markColumns(x, y, kind) {
                scope().table.mark(x, y, kind);
            },
            // The browser's preference decides until a person has.
            theme(kept) {
                if (kept === "light" || kept === "dark") root.dataset.bsTheme = kept;
                scope().theme.set(currentTheme());
            },
            toggleTheme() {
                return currentTheme() === "dark" ? "light" : "dark";
            },
            setX(axis) {
                scope().setX(axis);
            },
            showStudy(part) {
                scope().study.show(part === "study");
            },
            // Of an algorithm that lacks the view which was chosen, the tour is shown.
            offerViews(options, view) {
                if (!options.some(({ value }) => value === view)) {
                    window.dash_clientside.set_props("view", { value: "tour" });
                }
            },
            showView(view) {
                scope().views.choose(view);
            },
            setHeatLog(on) {
                scope().heat.setLog(Boolean(on));
            },
            showBestOnTrails(on) {
                scope().trails.showBest(Boolean(on));
            },
            setCurve(curve) {
                scope().lengths.setCurve(curve);
            },
            showOptimal(shown) {
                scope().showOptimal(Boolean(shown));
            },
            // Start waits until the address is known and has filled the form: see `components/shell/start.py`.
            holdStart(search) {
                return typeof search !== "string";
            },
            save() {
                const button = triggeredId();
                if (button) scope().save(button.replace("save-", ""));
            },
            waitForRun(shown) {
                const waits = !(shown && shown.run);
                return window.dash_clientside.callback_context.outputs_list.map(() => waits);
            },
            hint(hint, values, ids) {
                if (!hint || !hint.words) return "";
                const at = (ids || []).findIndex((id) => id.name === hint.parameter);
                const count = at < 0 ? "" : countOf(values[at], ids[at]);
                return hint.words.replace(/\{count\} ?(\w?)/, (_, first) => (count ? `${count} ${first}` : first));
            },
            // The ways that can run change with the device and the instance; what is chosen stays.
            moveVariants(here) {
                if (!here || !document.getElementById(`{"algorithm":"${here.algorithm}","type":"variant-missing"}`)) return;
                const { set_props: set } = window.dash_clientside;
                set({ type: "parameter", name: "variant" }, { options: here.options });
                set({ type: "variant-missing", algorithm: here.algorithm }, { children: here.missing });
                set({ type: "variant-words", algorithm: here.algorithm }, { data: here.words });
            },
            // The way that is chosen, told only when it is another.
            chosenVariant(values, ids, before) {
                const at = ids.findIndex((id) => id.name === "variant");
                const chosen = (at >= 0 && values[at]) || "auto";
                return chosen === before ? window.dash_clientside.no_update : chosen;
            },
            // A preset sets all parameters but the way; what is so already stays as it is.
            usePreset(chosen, params, values, ids) {
                const preset = params.length && params[0][chosen[0]];
                if (!preset) return;
                ids.forEach((id, k) => {
                    if (id.name in preset && preset[id.name] !== values[k]) setParameter(id, preset[id.name]);
                });
            },
            namePreset(values, ids, params) {
                const isSo = (preset) => ids.every((id, k) => !(id.name in preset) || preset[id.name] === values[k]);
                return params.map((presets) => Object.keys(presets).find((name) => isSo(presets[name])) || "custom");
            },
            // What the chosen way teaches, or why it cannot run; `said` has an entry where the form has ways.
            sayVariant(values, said, ids) {
                const at = ids.findIndex((id) => id.name === "variant");
                return said.map((sentences) => sentences[values[at]] || "");
            },
            // Before there is a run, the legend says what the chosen algorithm will do.
            sayLegend(className, shown) {
                if (shown && shown.run) return;
                const building = className.split(" ").includes("building");
                scope().setText("legend-move", building ? "edges join, one after the other" : "two edges out,");
            },
            markWrong(id) {
                for (const marked of document.querySelectorAll("[aria-invalid]")) marked.removeAttribute("aria-invalid");
                const field = id && document.getElementById(id);
                if (!field) return;
                const fold = field.closest("details.more");
                if (fold) fold.open = true;
                field.setAttribute("aria-invalid", "true");
                field.scrollIntoView({ block: "nearest" });
            },
        },
    });

    // Set a parameter of the form, its slider too.
    function setParameter(id, value) {
        window.dash_clientside.set_props(id, { value });
        const field = document.getElementById(JSON.stringify(id, Object.keys(id).sort()));
        const frame = field && field.closest(".ranged");
        if (frame) frame.querySelector(".slider").value = positionOf(value, scaleOf(frame));
    }

    // A slider and its number stand in one frame, which says how the slider divides the range.
    function scaleOf(frame) {
        const { low, high, step, scale, kind } = frame.dataset;
        return { low: Number(low), high: Number(high), step: Number(step) || 0, log: scale === "log", whole: kind === "int" };
    }

    function numberAt(position, { low, high, step, log, whole }) {
        if (!log) return whole ? Math.round(position) : Number(position.toPrecision(12));
        const exact = low * Math.pow(high / low, position / LOG_STEPS);
        const unit = Math.pow(10, Math.floor(Math.log10(exact)) - 1);
        const smallest = whole ? Math.max(1, step) : step;
        const fine = Math.max(unit, smallest);
        return Math.min(high, Math.max(low, Number((Math.round(exact / fine) * fine).toPrecision(12))));
    }

    function positionOf(number, { low, high, log }) {
        const inside = Math.min(high, Math.max(low, number));
        return log ? (LOG_STEPS * Math.log(inside / low)) / Math.log(high / low) : inside;
    }

    document.addEventListener("input", (event) => {
        const frame = event.target.closest(".ranged");
        if (!frame) return;
        const number = frame.querySelector(".number");
        const slider = frame.querySelector(".slider");
        if (event.target === slider) {
            const id = number.id.startsWith("{") ? JSON.parse(number.id) : number.id;
            window.dash_clientside.set_props(id, { value: numberAt(Number(slider.value), scaleOf(frame)) });
        } else if (number.value !== "") {
            slider.value = positionOf(Number(number.value), scaleOf(frame));
        }
    });

    // What was refused is marked until it is changed.
    function changed(event) {
        const field = event.target.closest && event.target.closest(".field");
        const marked = field && field.querySelector("[aria-invalid]");
        if (marked) marked.removeAttribute("aria-invalid");
    }

    for (const name of ["input", "change", "click"]) document.addEventListener(name, changed);

    // Who opens a searchable menu and types means its search.
    document.addEventListener(
        "keydown",
        (event) => {
            const menu = event.target.closest && event.target.closest(".dash-dropdown-content");
            const search = menu && menu.querySelector(".dash-dropdown-search");
            const types = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
            if (search && types && event.target !== search) search.focus();
        },
        true,
    );

    // The menu of recent runs closes as menus do.
    function closeMenus(event) {
        for (const menu of document.querySelectorAll("details.recent[open]")) {
            const within = event.type === "click" && menu.contains(event.target) && !event.target.closest("a");
            if (event.key === "Escape" || (event.type === "click" && !within)) menu.open = false;
        }
    }

    document.addEventListener("click", closeMenus);
    document.addEventListener("keydown", closeMenus);
})();
