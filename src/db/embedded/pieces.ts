// Passes bytes on in pieces and reports each piece, to show the progress.

export type Advance = (bytes: number) => void

export const pieceBytes = 1024 * 1024

/** A piece counts when the next one is requested. */
export function* piecesOf(bytes: Uint8Array, advance: Advance): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes)
    yield piece
    advance(piece.length)
  }
}

export async function* countPieces(pieces: AsyncIterable<Uint8Array>, advance: Advance): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    advance(piece.length)
  }
}
