/* The stream: one WebSocket, one run at a time, acknowledged, and back by itself after the last number that it saw. */
(function (TourScope) {
  "use strict";

  const RETRY = [100, 250, 500, 1000]; // milliseconds before each further try, the last one for ever

  let socket = null;
  let tries = 0;
  let watched = null; // {run, after, head, field}: what a new connection asks for

  function address() {
    const origin = window.location.origin.replace(/^http/, "ws");
    return `${origin}${TourScope.basePath}stream`;
  }

  function say(message) {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function ask() {
    say({ op: "open", run: watched.run, after: watched.after });
    say({ op: "head", run: watched.run, on: watched.head });
    say({ op: "field", run: watched.run, on: watched.field });
  }

  function connect() {
    socket = new WebSocket(address());
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      tries = 0;
      TourScope.emit("connection", true);
      if (watched) ask();
    };
    socket.onmessage = (event) => receive(TourScope.frames.split(event.data));
    socket.onclose = () => {
      TourScope.emit("connection", false);
      window.setTimeout(connect, RETRY[Math.min(tries, RETRY.length - 1)]);
      tries += 1;
    };
  }

  function receive([first, ...rest]) {
    if (first.kind === "status") TourScope.emit("status", first.values);
    else if (first.kind === "refused") refuse(first.values);
    else if (first.kind === "message") message(first.values, rest);
  }

  function refuse(values) {
    if (!watched || (values.run && values.run !== watched.run)) return;
    watched = null;
    TourScope.emit("refused", values);
  }

  function message(values, frames) {
    if (!watched || values.run !== watched.run) {
      acknowledge(values.message);
      return;
    }
    if (values.what === "head") {
      TourScope.emit("head", { frame: frames[0], message: values.message, state: values.state });
      return; // acknowledged once it is drawn, so that the server sends at the pace of the screen
    }
    if (values.what === "field") {
      TourScope.emit("field-message", { frames, message: values.message });
      return; // so is this
    }
    if (values.what === "log" && values.seqs.length) watched.after = values.seqs[values.seqs.length - 1];
    acknowledge(values.message);
    TourScope.emit(values.what === "log" ? "log-message" : values.what, { values, frames });
  }

  /** Tell the server that a message has been used. */
  function acknowledge(number) {
    say({ op: "ack", message: number });
  }

  /** Follow a run from after sequence number `after` on. */
  function open(run, after = 0) {
    close();
    watched = { run, after, head: true, field: false };
    ask();
  }

  /** Follow no run. */
  function close() {
    if (watched) say({ op: "close", run: watched.run });
    watched = null;
  }

  /** Ask for the tour as the run has it now, up to 30 times a second, or no longer. */
  function head(wanted) {
    if (!watched || watched.head === wanted) return;
    watched.head = wanted;
    say({ op: "head", run: watched.run, on: wanted });
  }

  /** Ask for the newest field of a colony's trails, up to 15 times a second, or no longer. */
  function field(wanted) {
    if (!watched || watched.field === wanted) return;
    watched.field = wanted;
    say({ op: "field", run: watched.run, on: wanted });
  }

  TourScope.stream = { connect, open, close, head, field, acknowledge };
})((window.TourScope = window.TourScope || {}));
