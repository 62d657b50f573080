import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The port is a part of the socket's file name: PostgreSQL clients append it to the directory. */
const SOCKET_NAME = ".s.PGSQL.5432";
const SOCKET_PORT = 5432;
/** The smallest `sun_path` among the systems in use (macOS), its closing NUL not counted. */
const LONGEST_SOCKET_PATH = 103;

export type ListenOn = { readonly path: string } | { readonly port: number };

export interface SocketAddress {
  readonly listenOn: ListenOn;
  /** What a PostgreSQL client takes as host: the socket's directory, or an address. */
  readonly host: string;
  /** What a PostgreSQL client takes as port; 0 = known only once the server listens. */
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Where the database listens: a unix socket in `dataDir`, in a private temporary directory when that path is too long,
 * a loopback port where there are no unix sockets. The file of a killed process is removed; hold the lock of `dataDir`.
 */
export async function prepareSocketAddress(dataDir: string): Promise<SocketAddress> {
  if (process.platform === "win32") return loopback();
  if (fits(dataDir)) return unixSocket(dataDir, join(dataDir, SOCKET_NAME));
  const directory = await mkdtemp(join(tmpdir(), "host-console-"));
  if (fits(directory)) return unixSocket(directory, directory);
  await rm(directory, { recursive: true });
  return loopback();
}

/** It asks nobody who they are: what keeps others out is its address. */
export const SIGN_IN = { user: "postgres", database: "postgres", password: "embedded" } as const;

/** Where the database of whoever holds `dataDir` can be reached by other processes of its user; null when nowhere. */
export function socketOf(dataDir: string): Pick<SocketAddress, "host" | "port"> | null {
  return process.platform !== "win32" && fits(dataDir) ? { host: dataDir, port: SOCKET_PORT } : null;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= LONGEST_SOCKET_PATH;
}

async function unixSocket(directory: string, removeAtEnd: string): Promise<SocketAddress> {
  const path = join(directory, SOCKET_NAME);
  await rm(path, { force: true });
  return {
    listenOn: { path },
    host: directory,
    port: SOCKET_PORT,
    [Symbol.asyncDispose]: () => rm(removeAtEnd, { recursive: true, force: true }),
  };
}

function loopback(): SocketAddress {
  return { listenOn: { port: 0 }, host: "127.0.0.1", port: 0, [Symbol.asyncDispose]: async () => undefined };
}
