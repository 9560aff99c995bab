/** Dynalite in memory, with tables ready at once. */
import dynalite from "dynalite";

dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 }).listen(
  Number(process.argv[2] ?? 0),
  "127.0.0.1",
);
