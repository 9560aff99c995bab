import { Command } from "commander";
import { visible } from "../../../openapi/text/visible.js";
import { certifyTogether } from "./certify-together.js";

const program = new Command("conformance:together")
  .description(
    "Certifies a deployment of many permitted differences, without a profile and with the observed one.",
  )
  .option("--mixture <number>", "half of the differences, chosen by this number", Number)
  .option("--seed <number>", "seed of the checks", Number, 1)
  .option("--runs <number>", "how often a property is tried", Number, 3);
program.parse();

const { differences, observed, alarms, durationMs } = await certifyTogether(program.opts());
const [without = [], withProfile = []] = alarms;
for (const alarm of without) console.log(`without a profile   ${visible(alarm.slice(0, 500))}`);
for (const alarm of withProfile) console.log(`with the profile    ${visible(alarm.slice(0, 500))}`);
console.log(
  `\nA deployment with ${differences} permitted differences: ${without.length} alarms without a profile, ` +
    `${withProfile.length} with the observed one of ${observed} answers. ${(durationMs / 1000).toFixed(0)} s.`,
);
if (without.length + withProfile.length > 0) process.exitCode = 1;
