import type { ConsoleApp } from "../console-app.js";
import { mountBilling } from "./billing.js";
import { mountCheckout } from "./checkout.js";
import { mountData } from "./data.js";
import { mountErrors } from "./errors.js";
import { mountFaults } from "./faults.js";
import { mountInvoice } from "./invoice.js";
import { mountOverview } from "./overview.js";
import { mountPeople } from "./people.js";
import { mountPortal } from "./portal.js";
import { mountReference } from "./reference.js";
import { mountSnapshots } from "./snapshots.js";
import { mountTime } from "./time.js";
import { mountTraffic } from "./traffic.js";

/** Every page at its address. One that comes later has its room here, and in the navigation of the layout. */
export function mountPages(app: ConsoleApp): void {
  mountOverview(app);
  mountData(app);
  mountPeople(app);
  mountBilling(app);
  mountTraffic(app);
  mountTime(app);
  mountFaults(app);
  mountSnapshots(app);
  mountReference(app);
  mountCheckout(app);
  mountPortal(app);
  mountInvoice(app);
  mountErrors(app);
}
