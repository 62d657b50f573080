import type { Host } from "@shared/hosts.ts";
import { errorCode } from "@/api/errors";
import { trpc } from "@/api/trpc";
import type { IsDone } from "./is-done";
import type { ReadDone } from "./use-batch";

/** Read at a time, each by a call of its own; they travel together. */
const AT_ONCE = 100;

/** Reads hosts anew, by their ids: those that this person still sees. */
export function useReadHostsById() {
  const { client } = trpc.useUtils();

  async function readHost(id: string): Promise<Host[]> {
    try {
      return [await client.hosts.get.query({ id })];
    } catch (error) {
      if (errorCode(error) === "NOT_FOUND") return [];
      throw error;
    }
  }

  return async (ids: readonly string[]): Promise<Host[]> => {
    const hosts: Host[] = [];
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      const some = ids.slice(first, first + AT_ONCE);
      hosts.push(...(await Promise.all(some.map(readHost))).flat());
    }
    return hosts;
  };
}

/** Reads which hosts an act was done to. */
export function useReadBack(): (isDone: IsDone) => ReadDone {
  const readHosts = useReadHostsById();

  return (isDone) => async (before) => {
    const beforeById = new Map(before.map((host) => [host.id, host]));
    const hosts = await readHosts([...beforeById.keys()]);
    const done = hosts.filter((host) => isDone(host, beforeById.get(host.id) ?? host));
    return new Set(done.map(({ id }) => id));
  };
}
