import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listening, type Program, startProgram } from "../harness/programs.ts";

/** What test/container.sh made, and where. */
const Made = z.object({
  STORAGE_ROOT: z.string(),
  STORAGE_RUN: z.string(),
  IMAGE: z.string(),
  /** A container made from the image, and where its files are mounted. */
  CONTAINER: z.string(),
  IMAGE_ROOT: z.string(),
  VOLUME: z.string(),
});

const Config = z.object({
  User: z.string(),
  Env: z.array(z.string()),
  Cmd: z.tuple([z.string()], z.string()),
  WorkingDir: z.string(),
  Volumes: z.record(z.string(), z.unknown()),
  ExposedPorts: z.record(z.string(), z.unknown()),
  Healthcheck: z.object({ Test: z.tuple([z.literal("CMD"), z.string()], z.string()) }),
});
const Inspected = z.object({ Docker: z.object({ config: Config }) });

export type Image = ReturnType<typeof readImage>;

/** The built image, as its own settings describe it. */
export function readImage(env: NodeJS.ProcessEnv) {
  const made = Made.parse(env);
  const storage = [
    "--root",
    made.STORAGE_ROOT,
    "--runroot",
    made.STORAGE_RUN,
    "--storage-driver",
    "vfs",
  ];
  const inspected = execFileSync("buildah", [
    ...storage,
    "inspect",
    "--type",
    "image",
    made.IMAGE,
  ]).toString();
  return {
    ...Inspected.parse(JSON.parse(inspected)).Docker.config,
    container: made.CONTAINER,
    root: made.IMAGE_ROOT,
    volume: made.VOLUME,
    /** The command that asks Buildah for something in this image's storage. */
    buildah: (...args: readonly string[]) => ({ file: "buildah", args: [...storage, ...args] }),
  };
}

export type Running = Awaited<ReturnType<typeof running>>;

type Settings = Readonly<Record<string, string>>;

/** As Buildah runs it: own files and user, the machine's processes and network. */
export async function runWithBuildah(image: Image, settings: Settings): Promise<Running> {
  const env = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const options = ["--isolation", "chroot", ...env, "--volume", `${image.volume}:/data`];
  const { file, args } = image.buildah("run", ...options, image.container, "--", ...image.Cmd);
  const program = startProgram({ file, args });
  return await running(program, () => Number(readFileSync(join(image.volume, "lock.pid"), "utf8")));
}

/**
 * As a cluster's strictest rules run it: nothing but the volume and /tmp can be written, no
 * capability, no new privileges, and the server is process 1 of its own.
 */
export async function runHardened(image: Image, settings: Settings): Promise<Running> {
  const env = [
    ...image.Env,
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];
  const [uid, gid] = image.User.split(":");
  const program = startProgram({
    file: "unshare",
    args: [
      ...[
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--",
        "sh",
        "-euc",
        HARDEN,
        "sh",
        image.root,
        image.volume,
      ],
      ...["setpriv", "--reuid", `${uid}`, "--regid", `${gid}`, "--clear-groups"],
      ...["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"],
      ...["env", "-i", "-C", image.WorkingDir, ...env, ...image.Cmd],
    ],
  });
  return await running(program, () => onlyChildOf(program.pid));
}

/** Whether this machine lets us make the mounts and namespaces that it takes. */
export function canHarden(): boolean {
  return spawnSync("unshare", ["--mount", "--pid", "--fork", "--mount-proc", "true"]).status === 0;
}

// Node's threads want /dev and /proc; `exec` makes process 1 of what is started.
const HARDEN = `
root=$1 volume=$2; shift 2
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
`;

/** The server in the image, once it listens. */
async function running(program: Program, pidOf: () => number) {
  const server = await listening(program);
  const serverPid = pidOf();
  /**
   * SIGTERM to the server itself, as `docker stop` sends it; how it ended, and after how many
   * seconds.
   */
  async function stop() {
    const started = performance.now();
    process.kill(serverPid, "SIGTERM");
    return { ...(await program.exited), seconds: (performance.now() - started) / 1000 };
  }
  return {
    ...server,
    /** Node's process as this machine numbers it. */
    serverPid,
    stop,
    async [Symbol.asyncDispose]() {
      // Neither Buildah nor unshare hands signals on.
      if (existsSync(`/proc/${serverPid}`)) process.kill(serverPid, "SIGKILL");
      await server[Symbol.asyncDispose]();
    },
  };
}

function onlyChildOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}
