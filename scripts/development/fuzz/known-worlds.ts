import { isDeepStrictEqual } from "node:util";
import { isName } from "../../../emulator/request/name.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { contractOf, type FuzzContract, operationAt } from "./fuzz-contract.js";
import type { FuzzRequest } from "./fuzz-request.js";
import type { FuzzAnswer } from "./read-answers.js";
import { readPlace } from "./read-place.js";

interface KnownWorld {
  readonly profile: Profile;
  /** Profiles under which something in it may have been made. */
  readonly earlier: readonly Profile[];
  /** Whether rules may answer in the emulator's place. */
  readonly isFaulted: boolean;
}

const fresh: KnownWorld = { profile: defaultProfile, earlier: [], isFaulted: false };

/** How many profiles are looked back at. */
const mostEarlier = 5;

/** What has to be known of each namespace to judge its answers, followed through the requests that change it. */
export class KnownWorlds {
  readonly #worlds = new Map<string, KnownWorld>();

  contract(namespace: string): FuzzContract {
    return contractOf(this.#of(namespace).profile);
  }

  /** What an answer may hold to: the profile in force, and those under which data were made that it shows. */
  contracts(namespace: string): readonly FuzzContract[] {
    const { profile, earlier } = this.#of(namespace);
    return [profile, ...earlier].map(contractOf);
  }

  isFaulted(namespace: string): boolean {
    return this.#of(namespace).isFaulted;
  }

  get anyFaulted(): boolean {
    return [...this.#worlds.values()].some(({ isFaulted }) => isFaulted);
  }

  setProfile(namespace: string, profile: Profile): void {
    const before = this.#of(namespace);
    const earlier = [before.profile, ...before.earlier].filter((one) => !isDeepStrictEqual(one, profile));
    this.#change(namespace, { profile, earlier: earlier.slice(0, mostEarlier) });
  }

  /** Follows what a request has changed. @param body of its answer */
  follow(request: FuzzRequest, { status }: FuzzAnswer, body: unknown): void {
    if (status >= 300) return;
    const { method, namespace, path } = readPlace(request);
    const { operationId } = operationAt(this.contract(namespace), method, path) ?? {};
    const name = decodeURIComponent(path.split("/")[3] ?? "");
    if (operationId === "setProfile") this.setProfile(namespace, body as Profile);
    else if (operationId === "createFault") this.#change(namespace, { isFaulted: true });
    else if (operationId === "clearFaults") this.#change(namespace, { isFaulted: false });
    else if (operationId === "resetEmulator") this.#change(namespace, { isFaulted: false, earlier: [] });
    else if (operationId === "deleteNamespace") this.#worlds.delete(name);
    else if (operationId === "forkNamespace" || operationId === "forkSnapshot") {
      const from = operationId === "forkNamespace" ? (name === "default" ? "" : name) : namespace;
      this.#worlds.set((body as { readonly name: string }).name, { ...this.#of(from), isFaulted: false });
    }
  }

  #of(namespace: string): KnownWorld {
    // what no namespace can be called is answered by the default one
    return this.#worlds.get(isName(namespace) ? namespace : "") ?? fresh;
  }

  #change(namespace: string, change: Partial<KnownWorld>): void {
    this.#worlds.set(namespace, { ...this.#of(namespace), ...change });
  }
}
