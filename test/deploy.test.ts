import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DCLinter } from "dclint";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { HEAP_FLAG } from "../scripts/server-program.ts";
import { readConfig } from "../src/server/config/config.ts";

const ROOT = join(import.meta.dirname, "..");
const MANIFESTS = join(ROOT, "deploy/kubernetes");
const KINDS = { Deployment, Ingress, PodDisruptionBudget, Secret, Service };

const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ environment: z.record(z.string(), z.string()), cap_drop: z.array(z.string()) }),
  ),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
const Results = z.array(z.object({ messages: z.array(z.object({ line: z.number(), message: z.string() })) })).length(1);
const Kustomization = z.object({
  resources: z.array(z.string()),
  images: z.array(z.object({ name: z.string(), newTag: z.string() })),
});
const Manifest = z.looseObject({ apiVersion: z.string(), kind: z.enum(["Kustomization", ...Object.keys(KINDS)]) });

const dockerfile = read("Dockerfile");
const compose = Compose.parse(parse(read("compose.yaml"), { merge: true }));
const manifests = globSync("*.yaml", { cwd: MANIFESTS }).map((file) => ({
  file,
  content: Manifest.parse(manifest(file)),
}));
const scratch = mkdtempSync(join(tmpdir(), "host-console-deploy-"));
afterAll(() => rmSync(scratch, { recursive: true }));

describe("the Dockerfile", () => {
  test("uses nothing that only BuildKit knows", () => {
    expect(dockerfile).not.toMatch(/--(link|mount|chmod|parents|exclude|checksum)\b|<<|^# *syntax=/m);
  });

  test("copies only what .dockerignore lets through", () => {
    const allowed = read(".dockerignore").match(/(?<=^!).+/gm) ?? [];
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    expect(copied.length).toBeGreaterThan(8);
    const isAllowed = (name: string) => allowed.some((path) => isWithin(name, path) || isWithin(path, name));
    expect(copied.filter((name) => !isAllowed(name))).toEqual([]);
  });

  test("gets every script that its scripts import, but for what only builds", () => {
    const scripts = [...read(".dockerignore").matchAll(/(?<=^!scripts\/).+/gm)].map(([name]) => name);
    expect(scripts).toContain("start.ts");
    const imported = scripts.flatMap((name) =>
      [...read(`scripts/${name}`).matchAll(/ from "\.\/(.+)"/g)].map(([, other]) => other),
    );
    expect(imported.filter((name) => name !== undefined && !scripts.includes(name))).toEqual([]);
  });

  test("and npm start keep the server's heap as what is measured", () => {
    expect(dockerfile).toContain(`RUN node ${HEAP_FLAG} /tmp/warm-up.ts`);
    expect(dockerfile).toContain(`CMD ["node", "${HEAP_FLAG}", "scripts/start.ts"]`);
    const { scripts } = z.object({ scripts: z.object({ start: z.string() }) }).parse(JSON.parse(read("package.json")));
    expect(scripts.start).toContain(HEAP_FLAG);
  });

  test("and compose.yaml and the manifests name the version of package.json", () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
    expect(dockerfile).toContain(`ARG VERSION=${version}\n`);
    expect(read("compose.yaml")).toContain(`\${VERSION:-${version}}`);
    expect(read("deploy/kubernetes/kustomization.yaml")).toContain(`newTag: ${version}\n`);
  });
});

describe("compose.yaml", () => {
  test("holds to the Compose specification, and its linter finds nothing", () => {
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
    // Its types do not resolve for Node's own modules.
    const results = Results.parse(linter.lintFiles([join(ROOT, "compose.yaml")], false));
    expect(results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`))).toEqual([]);
  });

  test("gives nobody a capability that is not named", () => {
    for (const { cap_drop } of Object.values(compose.services)) expect(cap_drop).toEqual(["ALL"]);
  });

  test("has the replicas that the proxy asks", () => {
    const asked = /\{\$UPSTREAMS:(.+?)\}/.exec(read("deploy/caddy/Caddyfile"))?.[1]?.split(" ");
    const replicas = Object.keys(compose.services).filter((name) => name.startsWith("console-"));
    expect(asked).toEqual(replicas.map((name) => `${name}:3000`));
    expect(replicas).toHaveLength(2);
  });

  test("passes on every setting of the manual that is not its own affair, from .env or as a secret", () => {
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

  test("mounts the secrets that generate.sh makes, and the server takes them", () => {
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
  test.each(manifests.filter(({ content }) => content.kind in KINDS))(
    "$file holds to the schema of its kind",
    ({ file, content: { kind } }) => {
      const Kind = Object.entries(KINDS).find(([name]) => name === kind)?.[1];
      if (Kind === undefined) throw new Error(kind);
      expect(() => new Kind(manifest(file)).validate()).not.toThrow();
    },
  );

  test("have no field that Kubernetes does not know", () => {
    expect(complaintsOf(manifests.map(({ content }) => content))).toBe("");
    const misspelt = { ...Manifest.parse(manifest("service.yaml")), specs: {} };
    expect(complaintsOf([misspelt])).toContain("may only specify known properties");
  });

  test("fit each other", () => {
    const deployment = new Deployment(manifest("deployment.yaml"));
    const service = new Service(manifest("service.yaml"));
    const budget = new PodDisruptionBudget(manifest("poddisruptionbudget.yaml"));
    const secret = new Secret(manifest("secret.example.yaml"));
    const template = deployment.spec?.template;
    const [server] = template?.spec?.containers ?? [];
    const labels = template?.metadata?.labels;

    expect(labels).toBeDefined();
    expect(deployment.spec?.selector.matchLabels).toEqual(labels);
    expect(service.spec?.selector).toEqual(labels);
    expect(budget.spec?.selector?.matchLabels).toEqual(labels);
    expect(service.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(server?.ports?.map(({ name }) => name));
    const paths = new Ingress(manifest("ingress.yaml")).spec?.rules?.flatMap(({ http }) => http?.paths ?? []);
    const port = { name: service.spec?.ports?.[0]?.name };
    expect(paths?.map(({ backend }) => backend.service)).toEqual([{ name: service.metadata?.name, port }]);
    const references = server?.env?.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []) ?? [];
    expect(new Set(references.map(({ name }) => name))).toEqual(new Set([secret.metadata?.name]));
    expect(references.map(({ key }) => key).sort()).toEqual(Object.keys(secret.stringData ?? {}).sort());
  });

  test("are all in the kustomization, but for the example, and it says where the image is", () => {
    const { resources, images } = Kustomization.parse(manifest("kustomization.yaml"));
    const files = manifests.map(({ file }) => file).filter((file) => !/^(kustomization|secret\.example)\./.test(file));
    expect(resources.toSorted()).toEqual(files.toSorted());
    const deployment = new Deployment(manifest("deployment.yaml"));
    expect(deployment.spec?.template.spec?.containers.map(({ image }) => image)).toEqual(
      images.map(({ name, newTag }) => `${name}:${newTag}`),
    );
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function isWithin(path: string, directory: string): boolean {
  return `${path}/`.startsWith(`${directory}/`);
}

/** Unchecked: what it is meant for checks it. */
function manifest(name: string) {
  return parse(read(join("deploy/kubernetes", name)));
}

function readSecrets(): [string, string][] {
  return globSync("*", { cwd: scratch, exclude: ["generate.sh"] }).map((name) => [
    name,
    readFileSync(join(scratch, name), "utf8"),
  ]);
}

/** The schemas let unknown fields pass; the compiler, which sees them as literals, does not. */
function complaintsOf(contents: readonly z.infer<typeof Manifest>[]): string {
  const known = contents.filter(({ kind }) => kind in KINDS);
  const lines = known.map(({ apiVersion, kind, ...rest }, index) => {
    const from = `kubernetes-models/${apiVersion}/${kind}`;
    return `export const v${index}: import("${from}").I${kind} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  // Below the root, so that the packages are found.
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, ".cache/manifests-"));
  try {
    const file = join(directory, "manifests.ts");
    writeFileSync(file, lines.join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--types", ""];
    return spawnSync(join(ROOT, "node_modules/.bin/tsc"), [...options, ...["--module", "nodenext"], file], {
      encoding: "utf8",
    }).stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
