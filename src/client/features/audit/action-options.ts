import { AUDIT_LABELS, auditActionLabel, auditGroupLabel } from "@shared/audit.ts";

type Option = { value: string; label: string };

/**
 * The choices of the filter by action: each group as a whole, and below it its actions. One that the
 * address names and nobody knows is a choice as well.
 */
export function actionOptions(chosen: string | undefined): readonly Option[] {
  const byGroup = Map.groupBy(AUDIT_LABELS.keys(), groupOf);
  const options = [...byGroup].flatMap(([group, actions]) => [
    { value: group, label: `${auditGroupLabel(group)}：全部` },
    ...actions.map((action) => ({ value: action, label: `　${auditActionLabel(action)}` })),
  ]);

  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: chosen }];
}

function groupOf(action: string): string {
  return action.split(".", 1).join();
}
