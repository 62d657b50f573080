import type { Disk } from "./host-item.ts";
import { type Random, token } from "./random.ts";

/** A host's disks: exactly one boot disk, then 0…3 data disks. Old hosts have local disks, written as the older samples write them. */
export function generateDisks(random: Random, host: { id: string; name: string; windows: boolean }): Disk[] {
  const old = random.chance(0.1);
  const bootSize = host.windows ? random.pick([40, 60, 100]) : random.pick([20, 40, 40, 40, 60, 100]);
  const dataCount = random.weighted([
    [30, 0],
    [45, 1],
    [18, 2],
    [7, 3],
  ]);
  const dataSizes = Array.from({ length: dataCount }, () => random.pick([50, 100, 100, 200, 500, 1000, 2000]));
  if (old) return localDisks(random, host.id, [bootSize, ...dataSizes]);
  const type = random.pick(["CLOUD_RSSD", "CLOUD_RSSD", "CLOUD_SSD", "CLOUD_ESSD", "CLOUD_NORMAL"]);
  const backup = random.chance(0.15) ? { BackupType: "DATAARK" } : {};
  return [
    {
      DiskId: `bsi-${token(12, host.id, 0)}`,
      DiskType: type,
      IsBoot: "True",
      Type: "Boot",
      Name: `系统盘_${host.name}`,
      Drive: "vda",
      Size: bootSize,
      Encrypted: "false",
      ...backup,
    },
    ...dataSizes.map((size, i) => ({
      DiskId: `bsm-${token(12, host.id, i + 1)}`,
      DiskType: type,
      IsBoot: "False",
      Type: "Udisk",
      Name: `data-${String(i + 1).padStart(2, "0")}`,
      Drive: `vd${"bcdef"[i] ?? "z"}`,
      Size: size,
      Encrypted: i === 0 && backup.BackupType === undefined ? "false" : "true",
    })),
  ];
}

function localDisks(random: Random, hostId: string, sizes: readonly number[]): Disk[] {
  const type = random.pick(["LOCAL_NORMAL", "LOCAL_SSD", "EXCLUSIVE_LOCAL_DISK"]);
  return sizes.map((size, i) => ({
    DiskId: `${token(8, hostId, i)}-0000-4000-8000-${token(12, hostId, "local", i)}`,
    DiskType: type,
    IsBoot: i === 0 ? "True" : "False",
    Type: i === 0 ? "Boot" : "Data",
    Drive: `/dev/sd${"abcdef"[i] ?? "z"}`,
    Size: size,
    Encrypted: "No",
  }));
}
