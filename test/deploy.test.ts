import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readConfig } from "../src/server/platform/environment/config.ts";
import { scratchDirectory } from "./harness/scratch.ts";

const ROOT = join(import.meta.dirname, "..");
const Product = z.object({ version: z.string(), scripts: z.object({ start: z.string() }) });
const { version, scripts } = Product.parse(JSON.parse(read("package.json")));

const scratch = scratchDirectory();

describe("the Dockerfile", () => {
  const dockerfile = read("Dockerfile");
  const included = all(read(".dockerignore"), /^!(.+)/gm);

  test("starts the server as npm start does", () => {
    expect(all(dockerfile, /^CMD (.+)$/gm).map((command) => JSON.parse(command))).toEqual([
      scripts.start.split(" "),
    ]);
  });

  test("copies only files that .dockerignore includes", () => {
    const copied = all(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((names) =>
      names.split(" "),
    );
    expect(copied.length).toBeGreaterThan(5);
    const isIncluded = (name: string) =>
      included.some((path) => isWithin(name, path) || isWithin(path, name));
    expect(copied.filter((name) => !isIncluded(name))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  const compose = read("compose.yaml");
  const environment = Object.fromEntries(
    [...compose.matchAll(/^ {4}([A-Z_]+): (.+)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );

  test("names the version of package.json, like the Kubernetes manifests", () => {
    expect(compose).toContain(`\${VERSION:-${version}}`);
    expect(read("deploy/kubernetes.yaml")).toContain(`/host-console:${version}\n`);
  });

  test("drops all capabilities of every service", () => {
    const images = all(compose, /^ +image: (\S+)$/gm);
    expect(all(compose, /^ +cap_drop:\n +- (\w+)$/gm)).toEqual(images.map(() => "ALL"));
  });

  test("runs the replicas that the proxy expects", () => {
    const [upstreams] = all(read("deploy/Caddyfile"), /\{\$UPSTREAMS:(.+?)\}/g);
    const replicas = all(compose, /^ {2}(console-\d+):$/gm);

    expect(upstreams?.split(" ")).toEqual(replicas.map((name) => `${name}:3000`));
    expect(replicas).toHaveLength(2);
  });

  test("passes on every documented setting, from .env or as a secret", () => {
    const manual = /^## Settings$[\s\S]*?^## /m.exec(read("docs/operations.md"))?.[0] ?? "";
    const settings = all(manual, /^\| (`[A-Z_`, ]+`) \|/gm).flatMap((names) =>
      names.replaceAll("`", "").split(", "),
    );
    expect(settings).toContain("HELP_URL");
    const isPassed = (name: string) =>
      environment[name]?.startsWith(`\${${name}:-`) || `${name}_FILE` in environment;
    expect(settings.filter((name) => !isPassed(name))).toEqual([
      "PORT",
      "HOST",
      "DATA_DIR",
      "ADMIN_PASSWORD",
    ]);
  });

  test("mounts the secrets that generate-secrets.sh creates, and the server accepts them", () => {
    cpSync(join(ROOT, "deploy/generate-secrets.sh"), join(scratch, "generate-secrets.sh"));
    const generate = () => execFileSync("sh", [join(scratch, "generate-secrets.sh")]);
    generate();
    const secrets = readSecrets();
    generate();
    expect(readSecrets(), "a second run changes nothing").toEqual(secrets);
    const mounted = all(compose, /^ +file: (\S+)$/gm).map((file) => basename(file));
    expect(mounted.sort()).toEqual(Object.keys(secrets).sort());

    const env = Object.entries(environment).map(([name, value]) => {
      return [
        name,
        value.replace("/run/secrets", join(scratch, "secrets")).replace(/^\$\{\w+:-(.*)\}$/, "$1"),
      ];
    });
    const config = readConfig(Object.fromEntries(env), false);
    expect(config.databaseUrl).toBe(
      `postgres://console:${secrets.postgres_password?.trim()}@postgres:5432/console`,
    );
    expect(config.encryptionKey).toHaveLength(32);
    expect(config.trustProxy).toBe(1);
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The first group of every match. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, group = ""]) => group);
}

function isWithin(path: string, directory: string): boolean {
  return `${path}/`.startsWith(`${directory}/`);
}

function readSecrets(): Record<string, string> {
  const names = globSync("*", { cwd: join(scratch, "secrets") });
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(scratch, "secrets", name), "utf8")]),
  );
}
