// Makes the escape character visible, which begins colors at a terminal.

export const showEscapes = (text: string): string => text.replaceAll('\x1b', '␛')

export const withoutColors = (text: string): string => showEscapes(text).replaceAll(/␛\[[\d;?]*[a-zA-Z]/g, '')
