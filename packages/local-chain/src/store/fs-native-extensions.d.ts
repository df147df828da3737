/** The used part of the library, which has no types. */
declare module "fs-native-extensions" {
  /** Locks an open file for this process until it is closed. Returns false if another process holds the lock. */
  export function tryLock(fd: number): boolean;
}
