import { execFileSync } from "node:child_process";
import { z } from "zod";

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

const Settings = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Cmd: z.tuple([z.string()], z.string()),
      WorkingDir: z.string(),
      Volumes: z.record(z.string(), z.unknown()),
      ExposedPorts: z.record(z.string(), z.unknown()),
      Healthcheck: z.object({ Test: z.tuple([z.literal("CMD"), z.string()], z.string()) }),
    }),
  }),
});

export type Image = z.infer<typeof Settings>["Docker"]["config"] & {
  readonly container: string;
  readonly root: string;
  readonly volume: string;
  /** The command that asks Buildah for something in this image's storage. */
  buildah(...args: readonly string[]): { readonly file: string; readonly args: readonly string[] };
};

/** The built image, as its own settings describe it. */
export function readImage(env: NodeJS.ProcessEnv): Image {
  const made = Made.parse(env);
  const storage = ["--root", made.STORAGE_ROOT, "--runroot", made.STORAGE_RUN, "--storage-driver", "vfs"];
  const inspected = execFileSync("buildah", [...storage, "inspect", "--type", "image", made.IMAGE], {
    encoding: "utf8",
  });
  return {
    ...Settings.parse(JSON.parse(inspected)).Docker.config,
    container: made.CONTAINER,
    root: made.IMAGE_ROOT,
    volume: made.VOLUME,
    buildah: (...args) => ({ file: "buildah", args: [...storage, ...args] }),
  };
}
