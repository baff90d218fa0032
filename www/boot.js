// Starts the page; says so where that does not work.
import init from "./spindle-explorer.js";

try {
  await init();
  document.querySelector(".loading")?.remove();
} catch (error) {
  const line = document.querySelector(".loading");
  if (line) {
    line.textContent =
      "Spindle could not start. It needs a browser of the last few years with WebAssembly; reload the page to try again.";
  }
  console.error(error);
}
