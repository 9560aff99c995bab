/** What `data-service certify` was asked for. */
export interface CertifyOptions {
  readonly emulator?: true;
  readonly target?: string;
  readonly seed?: number;
  readonly runs?: number;
  readonly only?: readonly string[];
  /** Milliseconds. */
  readonly maxTime?: number;
  readonly reportDir?: string;
  readonly cleanup?: string;
  readonly replay?: string;
  /** The report of a run, or its folder: what failed there is tried again. */
  readonly lastFailed?: string;
  /** A profile with known answers. */
  readonly profile?: string;
  /** Where to write what was observed when the checks are done. */
  readonly writeProfile?: string;
  /** Prints the checks, and runs none. */
  readonly list?: true;
  /** Begins no further check when so many have failed. */
  readonly maxFailures?: number;
  /** As `2/4`. */
  readonly shard?: string;
  /** Failures with all exchanges and scripts. */
  readonly verbose?: true;
}
