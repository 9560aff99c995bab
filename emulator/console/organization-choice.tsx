import type { components } from "../../openapi/generated/control-plane-types.js";
import { Choice } from "./form.js";
import type { Visit } from "./visit.js";

interface OrganizationChoiceProps {
  readonly visit: Visit;
  /** The page that is shown for the organization. */
  readonly action: string;
  readonly organizations: readonly components["schemas"]["OrganizationEntry"][];
  readonly chosen: string;
}

/** Which organization a page is about; those of single users come last. */
export function OrganizationChoice({ action, organizations, chosen }: OrganizationChoiceProps) {
  const shared = organizations.filter(({ isPersonal }) => !isPersonal);
  const personal = organizations.filter(({ isPersonal }) => isPersonal);
  return (
    <form method="get" action={action} class="row">
      <Choice
        label="Organization"
        name="organization"
        value={chosen}
        options={[...shared, ...personal].map(
          ({ organizationId, name, plan }) => [organizationId, `${name} · ${plan}`] as const,
        )}
      />
      <button>Show</button>
    </form>
  );
}
