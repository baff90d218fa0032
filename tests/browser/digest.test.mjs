// The same scenario has the same digest in the browser and on the command line.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, pageTest } from "./harness.mjs";

const TABLE = `
[[table]]
name = "t"
count = 4
rows = 20_000
columns = [
  { name = "id", type = "varchar(20)" },
  { name = "seq", type = "int" },
  { name = "name", type = "varchar(200)" },
  { name = "at", type = "timestamp" },
]
indexes = [
  { name = "PRIMARY", kind = "primary", columns = ["id", "seq"] },
  { name = "u", kind = "unique", columns = ["id", "name"] },
  { name = "n", kind = "non-unique", columns = ["at"] },
]
`;

const SCENARIOS = {
  "InnoDB inserts on six disks": `
seed = 7
[machine]
cores = 8
clock_ghz = 2.5
memory = "2G"
[storage]
file_system = "ext3"
[storage.device]
preset = "sas-15k"
count = 6
raid = "10"
controller_cache = { size = "256M", battery = true, latency = "60us" }
[engine]
profile = "innodb-5.1"
configuration = "innodb_buffer_pool_size = 16M"
contention = 0.1
[workload]
kind = "insert-full"
clients = 20
[run]
duration = "3s"
stop = "duration"
${TABLE}`,
  "CUBRID lookups on an SSD of 2010": `
seed = 11
[machine]
cores = 4
clock_ghz = 2.26
memory = "1G"
[storage.device]
preset = "sata-ssd-2010-mlc"
[engine]
profile = "cubrid-2008-r3"
parameters = { data_buffer_pages = 800 }
contention = 0.055
[workload]
kind = "three-selects"
clients = 16
search_range = 0.7
[run]
duration = "3s"
stop = "duration"
${TABLE}`,
  "InnoDB lookups on constant times": `
[machine]
cores = 2
clock_ghz = 3.0
memory = "1G"
[storage.device]
fixed = { slots = 3, read = "150us", write = "100us", sync = "500us" }
[engine]
profile = "innodb-5.1"
[workload]
kind = "three-selects"
clients = 8
think_time = "1ms"
[run]
duration = "20s"
precision = 0.05
start = "cold"
${TABLE}`,
};

pageTest("browser and command line agree bit for bit", {}, async ({ page, t }) => {
  const folder = mkdtempSync(join(tmpdir(), "spindle-digest-"));
  try {
    for (const [name, toml] of Object.entries(SCENARIOS)) {
      const inPage = await page.evaluate(async (text) => {
        const spindle = await import("./spindle-explorer.js");
        await spindle.default();
        return JSON.parse(spindle.simulate_toml(text));
      }, toml);
      assert.equal(inPage.problems, undefined, `${name}: ${JSON.stringify(inPage.problems)}`);
      const file = join(folder, "scenario.toml");
      writeFileSync(file, toml);
      const native = JSON.parse(execFileSync(cli, ["run", file, "--json"], { encoding: "utf8" }));
      assert.match(inPage.digest, /^[0-9a-f]{16}$/);
      assert.ok(inPage.throughput_tps > 0, name);
      assert.equal(inPage.digest, native.digest, name);
      assert.deepEqual(inPage, native, name);
      t.diagnostic(`${name}: ${native.digest}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

pageTest("a scenario that cannot be read has its problems told", {}, async ({ page }) => {
  const told = await page.evaluate(async () => {
    const spindle = await import("./spindle-explorer.js");
    await spindle.default();
    return JSON.parse(spindle.simulate_toml("[machine]\ncores = 0\n"));
  });
  assert.ok(told.problems.length > 0);
});
