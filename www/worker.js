// A simulator's worker: the same module as the page, which sees by itself where it runs. The page sends its compiled
// program first, so that it is not compiled once more.
import init from "./spindle-explorer.js";

addEventListener(
  "message",
  ({ data }) =>
    init({ module_or_path: data }).catch((error) =>
      // Only what is thrown outside of a promise reaches the page.
      setTimeout(() => {
        throw error;
      }),
    ),
  { once: true },
);
