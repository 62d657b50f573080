import { endAt, generateTerms, type HostRecord } from "./host-terms.ts";
import { createRandom, type NonEmpty, type Random, type Weighted } from "./random.ts";
import type { Region } from "./regions.ts";
import { IMAGES, SIZES, STATES, SYSTEMS } from "./words.ts";

const HOUR = 3600;
const DAY = 86_400;

/** Where a host comes from; the same seed gives the same fields. */
interface HostSeed {
  seed: number;
  /** Position of the host in the world, from 0. */
  serial: number;
  /** When the world got it, in Unix seconds. */
  addedAt: number;
  region: Region;
  id: string;
}

interface HostState extends HostSeed {
  /** Fields over the generated ones. */
  patch: HostRecord;
  /** Unix seconds */
  now: number;
}

/**
 * Generates a record in the provider's types; the same input gives the same record, so none is
 * stored. Only the end of a host depends on the time.
 */
export function generateHost({ patch, now, ...seed }: HostState): HostRecord {
  const { firstEnd, fields } = generateFields(seed);
  const record = { ...fields, ...patch };
  if ("ExpireTime" in patch) return record;

  const ExpireTime = endAt(now, { record, firstEnd, addedAt: seed.addedAt });
  return ExpireTime === null ? record : { ...record, ExpireTime };
}

interface GeneratedFields {
  fields: HostRecord;
  /** When the first period of a prepaid host ends, in Unix seconds. */
  firstEnd: number | null;
}

function generateFields({ seed, serial, addedAt, region, id }: HostSeed): GeneratedFields {
  const hostSeed = Math.imul(seed, 0x85ebca6b) ^ Math.imul(serial, 0x9e3779b1);
  const random = createRandom(hostSeed);
  const retired = random.chance(0.02) ? region.retiredZone : undefined;
  const base = { UHostId: id, Zone: retired ?? random.pick(region.zones) };
  const oddity = random.next();
  if (oddity < 0.004) {
    const fields = { ...base, ...UNKNOWN_HOST, CreateTime: addedAt - DAY };
    return { fields, firstEnd: null };
  }
  if (oddity < 0.008) {
    const Name = `新建主机-${id.slice(-4)}`;
    return { fields: { ...base, ...NEW_HOST, Name, CreateTime: addedAt - HOUR }, firstEnd: null };
  }

  const [system, roles] = random.pick(SYSTEMS);
  const name = `${system}-${random.pick(roles)}-${String((serial % 99) + 1).padStart(2, "0")}`;
  const image = random.weighted(IMAGES);
  const isWindows = image.startsWith("Windows");
  const state = random.weighted(STATES);
  const [cpu, memoryGb] = random.weighted(SIZES);
  const disks = generateDisks(random, id, isWindows);
  const Name = random.chance(0.003) ? "" : name;
  const { firstEnd, ...terms } = generateTerms(random, { hostSeed, addedAt, state });

  const fields = {
    ...base,
    Name,
    State: state,
    CPU: cpu,
    Memory: memoryGb * 1024,
    ...terms,
    OsName: image,
    OsType: isWindows ? "Windows" : "Linux",
    TotalDiskSpace: disks.slice(1).reduce((sum, disk) => sum + disk.Size, 0),
    DiskSet: disks,
    IPSet: generateAddresses(random, {
      id,
      serial,
      region,
      isNew: state === "Initializing" || state === "Install Fail",
    }),
    ...OTHER_FIELDS,
  };
  return { fields, firstEnd };
}

/** The provider's status query timed out. */
const UNKNOWN_HOST = {
  Name: "",
  State: "",
  CPU: 1,
  Memory: 1024,
  ChargeType: "Postpay",
  DiskSet: [],
  IPSet: [],
};

/** A host whose disks and addresses are not listed yet. */
const NEW_HOST = { State: "Initializing", CPU: 2, Memory: 4096, ChargeType: "Postpay" };

/** Fields that the product does not read; they give a page its real size. */
const OTHER_FIELDS = {
  Remark: "已接入监控与每日快照",
  Tag: "Default",
  BootDiskState: "Normal",
  GPU: 0,
  HotPlugMaxCpu: 32,
  MachineType: "N",
  CpuPlatform: "Intel/Skylake",
  ImageId: "bsi-264g81o2hmhz",
  BasicImageId: "uimage-hljexk",
  BasicImageName: "Ubuntu 22.04 64位",
  StorageType: "UDisk",
  NetCapability: "Normal",
  NetworkState: "Connected",
  NetFeatureTag: "Firewall",
  TimemachineFeature: "no",
  HotplugFeature: true,
  CloudInitFeature: true,
  IPv6Feature: false,
  HpcFeature: false,
  EpcInstance: false,
  SecGroupInstance: false,
  HiddenKvm: false,
  LifeCycle: "Normal",
  IsolationGroup: "",
  RdmaClusterId: "9002_25GE_D_R006",
  KeyPair: { KeyPairId: "", KeyPairState: "" },
};

/** A boot disk and 0…3 data disks; `Size` in GB. */
function generateDisks(random: Random, id: string, isWindows: boolean) {
  const boot = isWindows ? random.pick([40, 60, 100]) : random.pick([20, 40, 40, 40, 60, 100]);
  const count = random.weighted(DATA_DISKS);
  const data = Array.from({ length: count }, () =>
    random.pick([50, 100, 100, 200, 500, 1000, 2000]),
  );
  return [boot, ...data].map((size, index) => ({
    DiskId: `${index === 0 ? "bsi" : "bsm"}-${id.slice(-7)}${index}`,
    DiskType: "CLOUD_RSSD",
    IsBoot: index === 0 ? "True" : "False",
    Type: index === 0 ? "Boot" : "Udisk",
    Name: index === 0 ? "系统盘" : `data-0${index}`,
    Drive: `vd${"abcd"[index]}`,
    Size: size,
    Encrypted: "false",
  }));
}

const DATA_DISKS: Weighted<number> = [
  [30, 0],
  [45, 1],
  [18, 2],
  [7, 3],
];

/** A private address and in most cases a public one, from the ranges for documentation. */
function generateAddresses(
  random: Random,
  { id, serial, region, isNew }: { id: string; serial: number; region: Region; isNew: boolean },
): HostRecord[] {
  const subnet = Math.floor(serial / 254);
  const network = {
    VPCId: "uvnet-91ng7uz6",
    SubnetId: "subnet-91ng7uz6",
    Mac: "52:54:00:9F:13:23",
    Default: "true",
  };
  const addresses: HostRecord[] = [
    {
      IPMode: "IPv4",
      Type: "Private",
      IP: `10.${subnet >>> 8}.${subnet % 256}.${(serial % 254) + 1}`,
      ...network,
    },
  ];
  // The provider lists the public address some time after the host.
  if (isNew || random.chance(0.2)) return addresses;

  const eip = { IPId: `eip-${id.slice(-7)}`, Bandwidth: 10, Weight: 50 };
  for (let line = random.chance(0.05) ? 2 : 1; line > 0; line--) {
    const ip = `${random.pick(DOCUMENTATION_RANGES)}.${random.int(1, 254)}`;
    const Type = random.pick(publicTypes(region.code));
    addresses.push({ IPMode: "IPv4", Type, IP: ip, ...eip, Weight: line * 50 });
  }
  if (random.chance(0.03)) {
    const ip = `2001:db8:${(serial >>> 16).toString(16)}:${(serial & 0xffff).toString(16)}::1`;
    addresses.push({ IPMode: "IPv6", Type: "Internation", IP: ip, ...eip });
  }
  return addresses;
}

const DOCUMENTATION_RANGES: NonEmpty<string> = ["192.0.2", "198.51.100", "203.0.113"];

/** The provider spells one type in several ways. */
function publicTypes(region: string): NonEmpty<string> {
  if (region.startsWith("cn-")) return ["Bgp", "Bgp", "BGP"];
  return region === "hk"
    ? ["International", "International", "BGPPro"]
    : ["International", "International", "Internation"];
}
