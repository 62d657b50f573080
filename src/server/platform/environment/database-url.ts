const NO_ADDRESS = "must be an address that names a database, as in postgres://user@host/console";
const NOT_ENCODED =
  "has a character in its user name, password or database that must be written otherwise:" +
  " % as %25, # as %23, / as %2F, ? as %3F, @ as %40";
const SEVERAL_HOSTS =
  "names several hosts, but only one host is possible: name the proxy or the DNS name" +
  " that leads to the present primary";

const SCHEME = /^postgres(ql)?:\/\//;

/** What is wrong with the address of a database, without any part of it; null when nothing is. */
export function findDatabaseUrlProblem(text: string): string | null {
  if (!SCHEME.test(text)) return NO_ADDRESS;

  const isParsed = URL.canParse(text);
  const path = isParsed ? new URL(text).pathname : "";
  const hasDatabase = path.length > 1;
  // The address ends its host at the first of these characters, which belongs to a password.
  const isCutShort = /^[^@]*:[^@]*[/?#].*@/s.test(text.replace(SCHEME, ""));
  if (isCutShort && (!hasDatabase || path.includes("@"))) return NOT_ENCODED;
  if (hasSeveralHosts(text)) return SEVERAL_HOSTS;
  if (!hasDatabase) return NO_ADDRESS;

  const { username, password } = new URL(text);
  return [username, password, path].every(isDecodable) ? null : NOT_ENCODED;
}

/** As libpq reads them: `a:5432,b:5432`. */
function hasSeveralHosts(text: string): boolean {
  const [authority = ""] = text.replace(SCHEME, "").split(/[/?#]/);
  const hosts = authority.slice(authority.lastIndexOf("@") + 1);
  return hosts.includes(",");
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
