/** `data-service-emulator/playwright`: a namespace for every test of Playwright. */
import { expect as playwrightExpect, type Page, test as playwrightTest } from "@playwright/test";
import type { EmulatorNamespace } from "./api/emulator-namespace.js";
import { receivedMatchers, type ReceivedMatchers } from "./api/received-matchers.js";
import { type DataServiceOptions, TestNamespaces } from "./api/test-namespaces.js";

export type { DataServiceOptions };
export type { ExpectedRequest } from "./api/received-matchers.js";

/** What a test takes from its context. */
export interface DataServiceFixtures {
  /** The namespace of the test, deleted after it. */
  readonly dataService: EmulatorNamespace;
  /** Its base URL. */
  readonly dataServiceUrl: string;
  /**
   * The base URL of the data service in your application. Requests of its pages to this URL are routed to the namespace of the
   * test, so tests can run in parallel; `test.use({ serviceUrl: "http://127.0.0.1:4100" })`.
   */
  readonly serviceUrl: string | undefined;
}

interface WorkerFixtures {
  readonly dataServiceOptions: DataServiceOptions;
  readonly dataServiceNamespaces: TestNamespaces;
}

/** Playwright's `test` with a namespace for each test, served by one emulator per worker. */
export const test = playwrightTest.extend<DataServiceFixtures, WorkerFixtures>({
  dataServiceOptions: [{}, { scope: "worker", option: true }],
  dataServiceNamespaces: [
    async ({ dataServiceOptions }, use) => {
      const namespaces = new TestNamespaces(dataServiceOptions);
      await use(namespaces);
      await namespaces.close();
    },
    { scope: "worker" },
  ],
  serviceUrl: [undefined, { option: true }],
  dataService: async ({ dataServiceNamespaces, context, serviceUrl }, use, { title }) => {
    const namespace = await dataServiceNamespaces.begin(title);
    const namespaceUrl = await dataServiceNamespaces.urlOf(namespace);
    if (serviceUrl !== undefined) {
      const from = serviceUrl.replace(/\/+$/, "");
      await context.route(
        (url) => url.href.startsWith(`${from}/`),
        async (route) =>
          route.fulfill({
            response: await route.fetch({ url: namespaceUrl + route.request().url().slice(from.length) }),
          }),
      );
    }
    await use(namespace);
    await dataServiceNamespaces.end(namespace);
  },
  dataServiceUrl: async ({ dataService, dataServiceNamespaces }, use) => {
    await use(await dataServiceNamespaces.urlOf(dataService));
  },
});

/** Playwright's `expect`, which knows what a namespace has received. */
export const expect = playwrightExpect.extend<ReceivedExpectations>(receivedMatchers as never);

type ReceivedExpectations = {
  readonly [Name in keyof ReceivedMatchers<void>]: (
    receiver: EmulatorNamespace,
    ...expected: Parameters<ReceivedMatchers<void>[Name]>
  ) => { readonly pass: boolean; readonly message: () => string };
};

/** Pays on a checkout page of the emulator, or has the card refused, and waits for where it leads back to. */
export async function payCheckout(page: Page, card: "accepted" | "refused" = "accepted"): Promise<void> {
  await page.waitForURL(/\/_emulator\/console\/checkout\//);
  await page.getByRole("radio", { name: card }).check();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
}
