/** Of a badge, which has room for two digits: `99+`. */
export function shortCount(count: number): string {
  return count > 99 ? "99+" : String(count);
}
