// Reads DDL with a module of its own, which is fetched when it is needed first, and once more after a failure.
let module;
let failures = 0;

export async function readDdl(text) {
  try {
    module ??= load();
    return (await module).read_ddl(text);
  } catch (error) {
    module = undefined;
    failures += 1;
    throw error;
  }
}

async function load() {
  // A browser may remember of an address that nothing came from there.
  const again = failures ? `?again=${failures}` : "";
  const module = await import(`./spindle-ddl.js${again}`);
  await module.default();
  return module;
}
