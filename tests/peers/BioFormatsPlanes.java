import java.io.FileOutputStream;
import loci.common.DebugTools;
import loci.formats.FormatTools;
import loci.formats.ImageReader;
import loci.formats.MetadataTools;
import loci.formats.meta.IMetadata;
import ome.units.UNITS;
import ome.units.quantity.Length;

/** Writes the planes that Bio-Formats reads of the first image of each file beside it, in little-endian order. */
public class BioFormatsPlanes {
    private static String micrometres(Length length) {
        return length == null || length.value(UNITS.MICROMETER) == null ? "0" : length.value(UNITS.MICROMETER).toString();
    }

    public static void main(String[] files) throws Exception {
        DebugTools.setRootLevel("ERROR");
        for (int i = 0; i < files.length; ++i) {
            try (ImageReader reader = new ImageReader()) {
                IMetadata metadata = MetadataTools.createOMEXMLMetadata();
                reader.setMetadataStore(metadata);
                reader.setFlattenedResolutions(false);
                reader.setId(files[i]);
                final int bytes = FormatTools.getBytesPerPixel(reader.getPixelType());
                try (FileOutputStream out = new FileOutputStream(files[i] + ".planes")) {
                    for (int plane = 0; plane < reader.getImageCount(); ++plane) {
                        byte[] data = reader.openBytes(plane);
                        if (reader.getRGBChannelCount() > 1 && !reader.isInterleaved()) {
                            data = interleaved(data, reader.getRGBChannelCount(), bytes);
                        }
                        if (!reader.isLittleEndian()) {
                            swap(data, bytes);
                        }
                        out.write(data);
                    }
                }
                System.out.println("RESULT " + i + " " + reader.getResolutionCount() + " "
                        + micrometres(metadata.getPixelsPhysicalSizeX(0)) + " "
                        + micrometres(metadata.getPixelsPhysicalSizeY(0)) + " "
                        + micrometres(metadata.getPixelsPhysicalSizeZ(0)));
            } catch (Exception problem) {
                System.out.println("FAILED " + i + " " + problem);
            }
        }
    }

    private static byte[] interleaved(byte[] planes, int samples, int bytes) {
        byte[] out = new byte[planes.length];
        final int pixels = planes.length / samples / bytes;
        for (int sample = 0; sample < samples; ++sample) {
            for (int pixel = 0; pixel < pixels; ++pixel) {
                System.arraycopy(planes, (sample * pixels + pixel) * bytes, out, (pixel * samples + sample) * bytes, bytes);
            }
        }
        return out;
    }

    private static void swap(byte[] data, int bytes) {
        for (int at = 0; at < data.length; at += bytes) {
            for (int i = 0; i < bytes / 2; ++i) {
                byte first = data[at + i];
                data[at + i] = data[at + bytes - 1 - i];
                data[at + bytes - 1 - i] = first;
            }
        }
    }
}
