/* Files that a person takes away: their names, and how the browser is told to keep them. */
/** Keep what is at an address under a name. */
function download(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

const safe = (text) =>
  text
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60) || "tour";

/** "berlin52-two-opt-7542": the same rule as in `runs/web/downloads.py`. */
const fileName = (...parts) => parts.filter(Boolean).map(String).map(safe).join("-");

/** Text that Plotly, which reads some HTML in its texts, shows as it is. */
const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

export { download, fileName, plain };
