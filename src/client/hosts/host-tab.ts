import type { Host } from "@shared/hosts.ts";
import { formatMemory } from "@/lib/format";

export function hostTitle(host: Pick<Host, "name" | "ucloudId">): string {
  return host.name.trim() === "" ? host.ucloudId : host.name;
}

/** `4 核 8 GB` */
export function hostSize(host: Pick<Host, "cpu" | "memory">): string {
  return `${host.cpu} 核 ${formatMemory(host.memory)}`;
}
