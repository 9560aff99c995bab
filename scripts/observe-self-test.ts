import { observe } from "../conformance/observe/observation.js";
import { profilesToObserve } from "../conformance/observe/profiles-to-observe.js";
import { ObservedEmulator } from "./observed-emulator.js";
import { defaultProfile } from "../openapi/profile.js";
import { type GapId } from "../openapi/gaps/register.js";

const only = process.argv[2] === undefined || process.argv[2]==="all" ? undefined : process.argv[2].split(",") as GapId[];
const which = process.argv[3] ?? "default";
let t=Date.now();
const emulator = await ObservedEmulator.prepare();
console.log("prepared", Date.now()-t);
const all = which === "default" ? [defaultProfile] : profilesToObserve(1);
const chosen = which==="default"||which==="all" ? all : all.slice(...which.split("-").map(Number) as [number,number]);
let bad=0; const byGap=new Map<string,number>();
for (const [n,profile] of chosen.entries()) {
  t=Date.now();
  await emulator.withRun(profile, async run=>{
    const found=await observe(run, only===undefined?{}:{only});
    const left = await run.cleanUp();
    for (const o of found) {
      if (o.kind==="undecided" && o.reason==="no observer yet") continue;
      const want=JSON.stringify(profile[o.gap]);
      const ok=o.kind==="answer" && JSON.stringify(o.answer)===want;
      const hid=o.kind==="undecided" && o.reason.includes("(");
      if(!ok && !(hid && process.argv[4]!=="v")){bad++; byGap.set(o.gap,(byGap.get(o.gap)??0)+1); console.log(n,o.gap,"want",want,"got",o.kind==="answer"?JSON.stringify(o.answer):o.kind==="other"?`OTHER ${o.seen} (expected ${o.expected})`:`${o.kind}: ${o.reason}`);}
    }
    console.log("profile",n,"requests",run.recorder.total,"ms",Date.now()-t, "left",left.map(l=>l.entry.kind+" "+l.reason).join("; "));
  });
}
console.log({bad},[...byGap].sort((a,b)=>b[1]-a[1]));
await emulator.close();
