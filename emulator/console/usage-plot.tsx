interface UsagePlotProps {
  readonly name: string;
  readonly used: number;
  /** Nothing where there is no ceiling. */
  readonly most: number | undefined;
}

/** How much of a ceiling is used, as a line in a list. */
export function UsagePlot({ name, used, most }: UsagePlotProps) {
  const share = most === undefined || most === 0 ? 0 : used / most;
  const level = share > 1 ? "over" : share >= 0.8 ? "near" : "";
  return (
    <div>
      <dt>
        <span>{name}</span>
        <span>
          {shown(used)} of {most === undefined ? "any number" : shown(most)}
        </span>
      </dt>
      <dd>
        <svg
          class="plot"
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          role="img"
          aria-label={label(share, most)}
        >
          <rect
            class={`used ${level}`}
            width={used > 0 ? Math.max(Math.min(share, 1) * 100, 0.6) : 0}
            height="10"
          />
        </svg>
      </dd>
    </div>
  );
}

function label(share: number, most: number | undefined): string {
  return most === undefined ? "no ceiling" : `${Math.round(share * 100)} percent used`;
}

function shown(figure: number): string {
  return figure.toLocaleString("en-US", { maximumSignificantDigits: 6 });
}
