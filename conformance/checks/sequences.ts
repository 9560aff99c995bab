import { againChecks } from "./sequences/again.js";
import { historyChecks } from "./sequences/histories.js";
import { organizationSequenceChecks } from "./sequences/organizations.js";

/** What only sequences show: across areas, and of several clients. */
export const sequencesChecks = [...againChecks, ...organizationSequenceChecks, ...historyChecks];
