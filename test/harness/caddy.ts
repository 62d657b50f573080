import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./postgresql.ts";
import { type Program, ROOT, startProgram } from "./programs.ts";

/** Debian's package `caddy`. */
export const HAS_CADDY = spawnSync("caddy", ["version"]).status === 0;

export interface Caddy extends AsyncDisposable {
  readonly url: string;
  readonly program: Program;
}

/** Caddy with the shipped Caddyfile; only the port of its own health check differs. */
export async function startCaddy(upstreamPorts: readonly number[]): Promise<Caddy> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.adopt(await mkdtemp(join(tmpdir(), "host-console-caddy-")), (made) =>
    rm(made, { recursive: true, force: true }),
  );
  const [port, own] = [await freePort(), await freePort()];
  const file = join(directory, "Caddyfile");
  const shipped = await readFile(join(ROOT, "deploy/Caddyfile"), "utf8");
  await writeFile(file, shipped.replace("127.0.0.1:8080", `127.0.0.1:${own}`));
  const program = resources.use(
    startProgram({
      file: "caddy",
      args: ["run", "--config", file, "--adapter", "caddyfile"],
      env: {
        SITE_ADDRESS: `:${port}`,
        UPSTREAMS: upstreamPorts.map((upstream) => `127.0.0.1:${upstream}`).join(" "),
        XDG_DATA_HOME: directory,
        XDG_CONFIG_HOME: directory,
      },
    }),
  );
  await program.line(/serving initial configuration/);
  const started = resources.move();
  return { url: `http://127.0.0.1:${port}`, program, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
