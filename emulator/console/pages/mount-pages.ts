import type { ConsoleApp } from "../console-app.js";
import { mountCheckout } from "./checkout.js";
import { mountInvoice } from "./invoice.js";
import { mountOverview } from "./overview.js";
import { mountPortal } from "./portal.js";

/** Every page at its address. */
export function mountPages(app: ConsoleApp): void {
  for (const mount of [mountOverview, mountCheckout, mountPortal, mountInvoice]) mount(app);
}
