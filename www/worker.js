// The simulator's worker: the same module as the page, which sees by itself where it runs.
import init from "./spindle-explorer.js";

init();
