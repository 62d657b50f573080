import type { HostIp, HostStatus } from "../../shared/hosts.ts";

/** `name` is the provider's Chinese name when it gave one; `zones` are codes such as `cn-bj2-05`. */
export interface ProviderRegion {
  readonly region: string;
  readonly name: string | null;
  readonly isDefault: boolean;
  readonly zones: string[];
}

export interface ProviderProject {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/**
 * A host in our words: memory in MB, disk in GB (boot + data), times in Unix seconds. What the provider left out is `""`, 0 or null.
 * The item does not say its region or project: they are those that were asked.
 */
export interface ProviderHost {
  readonly ucloudId: string;
  readonly name: string;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  readonly osName: string;
  readonly osType: string;
  readonly zone: string;
  readonly status: HostStatus;
  /** The provider's own word, `""` included. */
  readonly providerStatus: string;
  readonly chargeType: string;
  readonly createTime: number | null;
  readonly expireTime: number | null;
  readonly ipSet: HostIp[];
}

/** A record that could not be understood; `reason` is a Chinese sentence without the provider's text. */
export interface RejectedHost {
  readonly id: string | null;
  readonly reason: string;
}

/** `total` is what the provider says the whole region and project hold, not the length of this page. */
export interface HostPage {
  readonly total: number;
  /** How old it may be, in Unix seconds. */
  readonly askedAt: number;
  readonly hosts: ProviderHost[];
  readonly rejected: RejectedHost[];
}
