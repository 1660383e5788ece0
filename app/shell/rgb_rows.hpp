#pragma once

class QImage;

namespace pollard {
class RgbWriter;
}

namespace pollard::app {

/// Hands all rows of an image of the format RGB888 to a writer, whose width it has.
/// @throws Error(writeFailed)
void writeRows(RgbWriter& writer, const QImage& rows);

} // namespace pollard::app
