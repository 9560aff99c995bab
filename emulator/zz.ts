import { writeSync } from "node:fs";
import { createEmulator } from "./emulator.js";
import { readEverything } from "./testing/read-everything.js";
import { fullWorld } from "./testing/full-world.js";
import { loadSqlite } from "./store/sqlite.js";
import { tableRules } from "./store/inspection/table-rules.js";
const sqlite = await loadSqlite();
const e = await createEmulator({ journal: 0 });
await fullWorld(e);
const state = e.export().slice(0, -12);
const odd = [null, -1, 2, 0.5, 9e15, 1e300, "", "nobody", "{}", "[[]]", '{"a":1e999,"b":"\\ud800"}', new Uint8Array([0xff, 0xfe])];
let n = 0, taken = 0; const start = performance.now();
for (const [table, { columns }] of Object.entries(tableRules)) for (const column of Object.keys(columns)) for (const value of odd) {
  const db = new sqlite.Database(state.slice());
  let file;
  try { db.run(`UPDATE OR IGNORE ${table} SET ${column} = ?`, [value]); file = db.export(); } catch { continue; } finally { db.close(); }
  if (Buffer.compare(file.subarray(100), state.subarray(100)) === 0) continue;
  n++;
  const t = performance.now();
  let refusal;
  try { e.snapshots.upload("g", file); } catch (x) { refusal = (x as Error).message; }
  const t2 = performance.now();
  if (refusal === undefined) {
    taken++;
    e.restore("g");
    const timer = setTimeout(() => writeSync(1, `SLOW ${table} ${column} ${value}\n`), 3000);
    const reading = readEverything(e).then((r) => r);
    const r = await reading;
    clearTimeout(timer);
    for (const f of r.failures.slice(0, 2)) writeSync(1, `FAIL ${table} ${column} ${String(value)}: ${f.request} ${f.status} ${f.text.slice(0, 200)}\n`);
  }
  const t3 = performance.now();
  if (t3 - t > 3000) writeSync(1, `${table} ${column} ${String(value)} check ${Math.round(t2 - t)} read ${Math.round(t3 - t2)}\n`);
}
writeSync(1, `${n} files, ${taken} taken, ${Math.round(performance.now() - start)} ms\n`);
await e.close();
