/** Of a host and one of its users. */
export interface Pair {
  readonly hostId: string;
  readonly userId: string;
}

export function keyOf({ hostId, userId }: Pair): string {
  return `${hostId} ${userId}`;
}
