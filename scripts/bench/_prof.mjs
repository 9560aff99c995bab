import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { operations as item, fillEmulator } from "./operations.mjs";
import { entityOperations } from "./repositories.mjs";
import { sqlOperations } from "./sql.mjs";
const [name, dir, cli="/work/main/dist/cli.js"] = process.argv.slice(2);
const op=[...item,...entityOperations,...sqlOperations].find(o=>o.name===name);
const port=4751;
const srv=spawn("node",["--cpu-prof","--cpu-prof-dir="+dir,cli,"start","--port",String(port),"--json"],{stdio:"ignore"});
const url=`http://127.0.0.1:${port}`;
for(;;){try{await fetch(url+"/health");break}catch{await new Promise(r=>setTimeout(r,100))}}
await (op.fill??fillEmulator)(url);
writeFileSync("/tmp/job.json",JSON.stringify({url,requests:op.emulator.map(({method,path,headers,body})=>({method,path,headers,body})),connections:32,amount:20000,distinct:op.distinct}));
const load=spawn("node",["load.mjs","/tmp/job.json"],{cwd:import.meta.dirname,stdio:"inherit"});
await new Promise(r=>load.on("exit",r));
srv.kill("SIGINT");await new Promise(r=>srv.on("exit",r));
