/** The titles of the parts of the specification. */
export const partTitles: Readonly<Record<string, string>> = {
  "1": "What the service does",
  "2": "Resources and their fields",
  "3": "States and transitions",
  "4": "Endpoints",
  "4.1": "Login and session",
  "4.2": "Raw items",
  "4.3": "Repositories data plane",
  "4.4": "Repository management",
  "4.5": "Database management",
  "4.6": "Organizations",
  "4.7": "Billing",
  "4.8": "SQL interface",
  "4.9": "Health",
  "5": "Authentication",
  "6": "Events",
  "7": "Errors",
  "8": "Limits",
  "9": "Versioning",
};

/** The parts in the order of the specification; objects list keys such as "1" before "4.1". */
export const specificationParts: readonly string[] = Object.keys(partTitles).sort(
  (one, other) => Number(one) - Number(other),
);
