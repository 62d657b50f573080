/** What a person may say of a host that a sync did not find. */
export type RemovalDecision = "confirm" | "dismiss";

export const REMOVAL_DECISIONS: readonly RemovalDecision[] = ["dismiss", "confirm"];

export const DECISION_LABELS: Readonly<Record<RemovalDecision, string>> = {
  confirm: "确认已消失",
  dismiss: "保留",
};
