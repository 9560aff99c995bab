/** `data-service-emulator/playwright`: a namespace for every Playwright test. */
import { expect as playwrightExpect, type Page, type Route, test as playwrightTest } from "@playwright/test";
import type { ResultForReceiver } from "./api/connect.js";
import type { EmulatorNamespace } from "./api/emulator-namespace.js";
import { receivedRequestMatchers, type ReceivedRequestMatchers } from "./api/received-matchers.js";
import { type DataServiceOptions, TestNamespaces } from "./api/test-namespaces.js";

export type { DataServiceOptions };
export type { ExpectedRequest } from "./api/received-matchers.js";

/** The fixtures of a test. */
export interface DataServiceFixtures {
  /** The namespace of the test, deleted after the test. */
  readonly dataService: EmulatorNamespace;
  /** Base URL of the namespace. */
  readonly dataServiceUrl: string;
  /**
   * Base URL of the data service in your application, as in `test.use({ serviceUrl: "http://127.0.0.1:4100" })`.
   * Requests from pages to this URL are routed to the namespace of the test, so tests can run in parallel.
   */
  readonly serviceUrl: string | undefined;
}

interface NamespaceOfTest {
  readonly namespace: EmulatorNamespace;
  readonly url: string;
}

interface TestFixtures extends DataServiceFixtures {
  /** Creates the namespace of the test, which is deleted after the test. */
  readonly beginNamespace: () => Promise<NamespaceOfTest>;
}

interface WorkerFixtures {
  /** Options of the emulator, as in `test.use({ dataServiceOptions: { fixture: "./seed.yaml", strict: true } })`. */
  readonly dataServiceOptions: DataServiceOptions;
  readonly dataServiceNamespaces: TestNamespaces;
}

/** Playwright's `test` with a namespace for each test, from one emulator per worker. */
export const test = playwrightTest.extend<TestFixtures, WorkerFixtures>({
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
  beginNamespace: async ({ dataServiceNamespaces, serviceUrl }, use, test) => {
    let begun: Promise<NamespaceOfTest> | undefined;
    const begin = async () => {
      const namespace = await dataServiceNamespaces.begin(test, test.title);
      return { namespace, url: await dataServiceNamespaces.urlOf(namespace) };
    };
    await use(() => (begun ??= begin()));
    await begun?.catch(() => undefined);
    await dataServiceNamespaces.end(test, test.errors[0], serviceUrl);
  },
  context: async ({ beginNamespace, context, serviceUrl }, use) => {
    if (serviceUrl !== undefined) {
      if (!URL.canParse(serviceUrl) || !/^https?:$/.test(new URL(serviceUrl).protocol))
        throw new Error(
          `serviceUrl "${serviceUrl}" is not a base URL; it must begin with http:// or https://`,
        );
      // In the form that browsers give to URLs.
      const from = new URL(serviceUrl).href.replace(/\/+$/, "");
      const { url: to } = await beginNamespace();
      await context.route(
        ({ href }) => href.startsWith(`${from}/`),
        (route) => forward(route, to + route.request().url().slice(from.length)),
      );
    }
    await use(context);
  },
  dataService: async ({ beginNamespace }, use) => use((await beginNamespace()).namespace),
  dataServiceUrl: async ({ beginNamespace }, use) => use((await beginNamespace()).url),
});

/** Sends a request of a page to another URL. */
async function forward(route: Route, url: string): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch({ url }) });
  } catch {
    // A fault rule has cut the connection, or the test has ended.
    await route.abort("connectionreset").catch(() => undefined);
  }
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- declared by Playwright
  namespace PlaywrightTest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface Matchers<R, T> extends ReceivedRequestMatchers<ResultForReceiver<T, R>> {}
  }
}

/**
 * Playwright's `expect` with matchers for the requests that a namespace has received. For a namespace over HTTP, the
 * matchers return promises.
 */
export const expect: typeof playwrightExpect = playwrightExpect.extend(receivedRequestMatchers as never);

/** Pays on a checkout page of the emulator. With `declined`, the card is declined, and the page stays open. */
export async function payCheckout(page: Page, card: "accepted" | "declined" = "accepted"): Promise<void> {
  await page.waitForURL(/\/_emulator\/console\/checkout\//);
  await page.getByRole("radio", { name: card }).check();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
}
