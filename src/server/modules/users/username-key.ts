/** By which users are the same: names are, in any case. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}
