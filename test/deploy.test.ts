import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { WASM_FLAG } from "../scripts/server-program.ts";
import { readConfig } from "../src/server/config/config.ts";

const ROOT = join(import.meta.dirname, "..");
const MANIFESTS = join(ROOT, "deploy/kubernetes");

const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ environment: z.record(z.string(), z.string()), cap_drop: z.array(z.string()) }),
  ),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
const Kustomization = z.object({
  resources: z.array(z.string()),
  images: z.array(z.object({ name: z.string(), newTag: z.string() })),
});
const Labels = z.record(z.string(), z.string());
const Deployment = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: Labels }),
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({
        containers: z.tuple([
          z.object({
            image: z.string(),
            ports: z.array(z.object({ name: z.string() })),
            env: z.array(
              z.object({
                valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
              }),
            ),
          }),
        ]),
      }),
    }),
  }),
});
const Service = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({ selector: Labels, ports: z.tuple([z.object({ name: z.string(), targetPort: z.string() })]) }),
});
const Backend = z.object({ service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }) });
const Ingress = z.object({
  spec: z.object({
    rules: z.array(z.object({ http: z.object({ paths: z.array(z.object({ backend: Backend })) }) })),
  }),
});
const Budget = z.object({ spec: z.object({ selector: z.object({ matchLabels: Labels }) }) });
const Secret = z.object({ metadata: z.object({ name: z.string() }), stringData: z.record(z.string(), z.string()) });

const dockerfile = read("Dockerfile");
const compose = Compose.parse(parse(read("compose.yaml"), { merge: true }));
const scratch = mkdtempSync(join(tmpdir(), "host-console-deploy-"));
afterAll(() => rmSync(scratch, { recursive: true }));

describe("the Dockerfile", () => {
  test("uses no BuildKit-only syntax", () => {
    expect(dockerfile).not.toMatch(/--(link|mount|chmod|parents|exclude|checksum)\b|<<|^# *syntax=/m);
  });

  test("copies only files that .dockerignore includes", () => {
    const allowed = read(".dockerignore").match(/(?<=^!).+/gm) ?? [];
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    expect(copied.length).toBeGreaterThan(8);
    const isAllowed = (name: string) => allowed.some((path) => isWithin(name, path) || isWithin(path, name));
    expect(copied.filter((name) => !isAllowed(name))).toEqual([]);
  });

  test("includes every script that its scripts import, except build scripts", () => {
    const scripts = [...read(".dockerignore").matchAll(/(?<=^!scripts\/).+/gm)].map(([name]) => name);
    expect(scripts).toContain("start.ts");
    const imported = scripts.flatMap((name) =>
      [...read(`scripts/${name}`).matchAll(/ from "\.\/(.+)"/g)].map(([, other]) => other),
    );
    expect(imported.filter((name) => name !== undefined && !scripts.includes(name))).toEqual([]);
  });

  test("starts the server with the same flag as npm start", () => {
    expect(dockerfile).toContain(`RUN node ${WASM_FLAG} /tmp/warm-up.ts`);
    expect(dockerfile).toContain(`CMD ["node", "${WASM_FLAG}", "scripts/start.ts"]`);
    const { scripts } = z.object({ scripts: z.object({ start: z.string() }) }).parse(JSON.parse(read("package.json")));
    expect(scripts.start).toContain(WASM_FLAG);
  });

  test("names the version of package.json, like compose.yaml and the manifests", () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
    expect(dockerfile).toContain(`ARG VERSION=${version}\n`);
    expect(read("compose.yaml")).toContain(`\${VERSION:-${version}}`);
    expect(read("deploy/kubernetes/kustomization.yaml")).toContain(`newTag: ${version}\n`);
  });
});

describe("compose.yaml", () => {
  test("drops all capabilities of every service", () => {
    for (const { cap_drop } of Object.values(compose.services)) expect(cap_drop).toEqual(["ALL"]);
  });

  test("runs the replicas that the proxy expects", () => {
    const upstreams = /\{\$UPSTREAMS:(.+?)\}/.exec(read("deploy/caddy/Caddyfile"))?.[1]?.split(" ");
    const replicas = Object.keys(compose.services).filter((name) => name.startsWith("console-"));
    expect(upstreams).toEqual(replicas.map((name) => `${name}:3000`));
    expect(replicas).toHaveLength(2);
  });

  test("passes on every documented setting that it does not set itself, from .env or as a secret", () => {
    const manual = /^## Settings$[\s\S]*?^## /m.exec(read("docs/operations.md"))?.[0] ?? "";
    const settings = [...manual.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = ""]) =>
      names.replaceAll("`", "").split(", "),
    );
    expect(settings).toContain("HELP_URL");
    const { environment = {} } = compose.services["console-1"] ?? {};
    const passed = settings.filter(
      (name) => environment[name]?.startsWith(`\${${name}:-`) || `${name}_FILE` in environment,
    );
    expect(settings.filter((name) => !passed.includes(name))).toEqual(["PORT", "HOST", "DATA_DIR", "ADMIN_PASSWORD"]);
  });

  test("mounts the secrets that generate.sh creates, and the server accepts them", () => {
    cpSync(join(ROOT, "deploy/secrets/generate.sh"), join(scratch, "generate.sh"));
    execFileSync("sh", [join(scratch, "generate.sh")]);
    const made = Object.fromEntries(readSecrets());
    execFileSync("sh", [join(scratch, "generate.sh")]);
    expect(Object.fromEntries(readSecrets()), "a second run changes nothing").toEqual(made);
    expect(
      Object.values(compose.secrets)
        .map(({ file }) => basename(file))
        .sort(),
    ).toEqual(Object.keys(made).sort());

    const env = Object.entries(compose.services["console-1"]?.environment ?? {}).map(([name, value]) => {
      return [name, value.replace("/run/secrets", scratch).replace(/\$\{\w+:-(.*)\}/, "$1")];
    });
    const config = readConfig(Object.fromEntries(env), false);
    expect(config.databaseUrl).toBe(`postgres://console:${made.postgres_password?.trim()}@postgres:5432/console`);
    expect(config.encryptionKey).toHaveLength(32);
    expect(config.trustProxy).toBe(1);
  });
});

describe("the Kubernetes manifests", () => {
  const deployment = Deployment.parse(manifest("deployment.yaml"));
  const { template, selector } = deployment.spec;
  const [server] = template.spec.containers;

  test("refer to each other consistently", () => {
    const service = Service.parse(manifest("service.yaml"));
    const budget = Budget.parse(manifest("poddisruptionbudget.yaml"));
    const ingress = Ingress.parse(manifest("ingress.yaml"));
    const secret = Secret.parse(manifest("secret.example.yaml"));
    const { labels } = template.metadata;

    expect(selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    const [port] = service.spec.ports;
    expect(server.ports.map(({ name }) => name)).toEqual([port.targetPort]);
    const backends = ingress.spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
    expect(backends).toEqual([{ name: service.metadata.name, port: { name: port.name } }]);
    const references = server.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(new Set(references.map(({ name }) => name))).toEqual(new Set([secret.metadata.name]));
    expect(references.map(({ key }) => key).sort()).toEqual(Object.keys(secret.stringData).sort());
  });

  test("are all listed in the kustomization except the example, and the kustomization names the image", () => {
    const { resources, images } = Kustomization.parse(manifest("kustomization.yaml"));
    const files = globSync("*.yaml", { cwd: MANIFESTS }).filter(
      (file) => !/^(kustomization|secret\.example)\./.test(file),
    );
    expect(resources.toSorted()).toEqual(files.toSorted());
    expect(images.map(({ name, newTag }) => `${name}:${newTag}`)).toEqual([server.image]);
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function isWithin(path: string, directory: string): boolean {
  return `${path}/`.startsWith(`${directory}/`);
}

function manifest(name: string): unknown {
  return parse(read(join("deploy/kubernetes", name)));
}

function readSecrets(): [string, string][] {
  return globSync("*", { cwd: scratch, exclude: ["generate.sh"] }).map((name) => [
    name,
    readFileSync(join(scratch, name), "utf8"),
  ]);
}
