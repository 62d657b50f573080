import type { Region } from "./catalogue.ts";
import { generateAddresses } from "./host-addresses.ts";
import { generateDisks } from "./host-disks.ts";
import type { HostPlace } from "./host-id.ts";
import type { HostItem } from "./host-item.ts";
import { generateTerms } from "./host-terms.ts";
import { createRandom, hash32, type NonEmpty, type Random, token } from "./random.ts";
import { GPU_TYPES, REMARKS, SIZES, STATES, SYSTEM_IMAGES, SYSTEMS } from "./words.ts";

/** Where a host stands and on which day. */
export interface HostSeed {
  seed: number;
  /** Unix seconds */
  now: number;
  region: Region;
  at: HostPlace;
  id: string;
}

/** Makes one host. The same input always makes the same host, so nothing has to be kept. */
export function generateHost(input: HostSeed): HostItem {
  const random = createRandom(hash32(input.seed, input.at.cell, input.at.index));
  const zone = pickZone(random, input.region);
  const oddity = random.next();
  if (oddity < 0.004) return sparseHost(input, zone);
  if (oddity < 0.008) return bareHost(input, zone, random);
  return fullHost(input, zone, random);
}

function fullHost(input: HostSeed, zone: string, random: Random): HostItem {
  const system = random.pick(SYSTEMS);
  const name = random.chance(0.003)
    ? ""
    : `${system.name}-${random.pick(system.roles)}-${String((input.at.index % 99) + 1).padStart(2, "0")}`;
  const image = random.weighted(SYSTEM_IMAGES);
  const state = random.weighted(STATES);
  const gpu = system.gpu && random.chance(0.6) ? random.pick([1, 1, 2, 4]) : 0;
  const [cpu, memoryGb] = random.weighted(SIZES);
  const disks = generateDisks(random, { id: input.id, name, windows: image.type === "Windows" });
  const imageId = disks[0]?.DiskId ?? "";
  return {
    UHostId: input.id,
    Name: name,
    Remark: random.pick(REMARKS),
    Tag: random.chance(0.3) ? "Default" : system.tag,
    Zone: zone,
    State: state,
    BootDiskState: state === "Initializing" ? "Initializing" : "Normal",
    ...machine(random, gpu, cpu, memoryGb),
    ...generateTerms(random, input.now, state),
    OsName: image.os,
    OsType: image.type,
    ImageId: imageId,
    BasicImageId: `uimage-${token(6, image.os)}`,
    BasicImageName: image.os,
    TotalDiskSpace: disks.slice(1).reduce((sum, disk) => sum + disk.Size, 0),
    StorageType: disks[0]?.DiskType.startsWith("CLOUD") ? "UDisk" : "LocalDisk",
    DiskSet: disks,
    IPSet: generateAddresses(random, {
      id: input.id,
      at: input.at,
      place: input.region.place,
      fresh: state === "Initializing" || state === "Install Fail",
    }),
    NetCapability: random.pick(["Normal", "Normal", "Super", "Ultra"]),
    NetworkState: state === "Running" ? "Connected" : "NotConnected",
    NetFeatureTag: random.pick(["Firewall", "Firewall", "SecGroup"]),
    TimemachineFeature: random.pick(["no", "no", "yes", "Yes"]),
    HotplugFeature: random.chance(0.5),
    CloudInitFeature: image.type === "Linux",
    IPv6Feature: random.chance(0.1),
    HpcFeature: false,
    EpcInstance: false,
    SecGroupInstance: false,
    HiddenKvm: false,
    LifeCycle: "Normal",
    IsolationGroup: "",
    RdmaClusterId: "9002_25GE_D_R006",
    KeyPair: random.chance(0.3) ? {} : { KeyPairId: "", KeyPairState: "" },
  };
}

function machine(random: Random, gpu: number, cpu: number, memoryGb: number): Partial<HostItem> {
  if (gpu > 0) {
    return {
      CPU: 8 * gpu,
      Memory: 32_768 * gpu,
      GPU: gpu,
      GpuType: random.pick(GPU_TYPES),
      MachineType: "G",
      CpuPlatform: "Intel/Broadwell",
    };
  }
  const size = { CPU: cpu, Memory: memoryGb * 1024, GPU: 0 };
  // hosts bought years ago still carry the old type names
  if (random.chance(0.06)) {
    return { ...size, UHostType: "N2", HostType: "N2", MachineType: "N", CpuPlatform: "Intel/IvyBridge" };
  }
  return { ...size, HotPlugMaxCpu: cpu * 2, ...random.pick(MACHINES) };
}

const MACHINES: NonEmpty<Partial<HostItem>> = [
  { MachineType: "O", UHostFamily: "o1i", CpuPlatform: "Intel/CascadeLake" },
  { MachineType: "O", UHostFamily: "o1a", CpuPlatform: "Amd/Epyc2" },
  { MachineType: "OM", UHostFamily: "om1i", CpuPlatform: "Intel/CascadeLake" },
  { MachineType: "OPRO", CpuPlatform: "Intel/Icelake" },
  { MachineType: "N", CpuPlatform: "Intel/Skylake" },
  { MachineType: "C", CpuPlatform: "Intel/Skylake" },
];

/** The status query timed out and hardly anything is known. */
function sparseHost(input: HostSeed, zone: string): HostItem {
  return {
    UHostId: input.id,
    Name: "",
    Tag: "Default",
    Zone: zone,
    State: "",
    CPU: 1,
    Memory: 1024,
    ChargeType: "Postpay",
    CreateTime: input.now - 86_400,
    DiskSet: [],
    IPSet: [],
  };
}

/** Disks and addresses are not even listed. */
function bareHost(input: HostSeed, zone: string, random: Random): HostItem {
  return {
    UHostId: input.id,
    Name: `新建主机-${input.id.slice(-4)}`,
    Zone: zone,
    State: "Initializing",
    CPU: 2,
    Memory: 4096,
    ...generateTerms(random, input.now, "Initializing"),
  };
}

function pickZone(random: Random, region: Region): string {
  const [retired] = region.retiredZones;
  return retired !== undefined && random.chance(0.02) ? retired : random.pick(region.zones);
}
