/** Of the toast that tells of an undone decision, whoever undid it. */
export function undoneToastId(renewalId: string): string {
  return `renewal.undone:${renewalId}`;
}
