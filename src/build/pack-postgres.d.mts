export function pack(folder: string): Buffer
