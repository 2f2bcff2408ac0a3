/* What the C libraries alone take for a frame on its way out: Opus from 24 kHz mono, AES-128-GCM as DAVE seals,
   AES-256-GCM for the road, one send. Arguments: libopus, frames of speech, and WAV files of 16 kHz mono. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { FRAME = 480, AUDIO = 2049, BITRATE = 4002, COMPLEXITY = 4010, TAG = 16, SHORT_TAG = 8, HEADER = 12, NONCE = 12, PASSES = 5 };
enum { SET_NONCE_LENGTH = 0x9, GET_TAG = 0x10 };

typedef void *(*create_t)(int32_t, int, int, int *);
typedef int (*encode_t)(void *, const int16_t *, int, unsigned char *, int32_t);
typedef int (*ctl_t)(void *, int, ...);
static void *(*cipher_new)(void);
static const void *(*aes_128)(void), *(*aes_256)(void);
static int (*begin)(void *, const void *, void *, const unsigned char *, const unsigned char *);
static int (*update)(void *, unsigned char *, int *, const unsigned char *, int);
static int (*finish)(void *, unsigned char *, int *);
static int (*control)(void *, int, int, void *);

static void cannot(const char *why)
{
    printf("{\"cannot\": \"%s\"}\n", why);
    exit(0);
}

static void *found(void *library, const char *name)
{
    void *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol)
        cannot("libcrypto.so.3 or libopus was not found: on Debian, apt-get install libssl3 libopus0");
    return symbol;
}

static void load_crypto(void)
{
    void *library = dlopen("libcrypto.so.3", RTLD_NOW);
    *(void **)&cipher_new = found(library, "EVP_CIPHER_CTX_new");
    *(void **)&aes_128 = found(library, "EVP_aes_128_gcm");
    *(void **)&aes_256 = found(library, "EVP_aes_256_gcm");
    *(void **)&begin = found(library, "EVP_EncryptInit_ex");
    *(void **)&update = found(library, "EVP_EncryptUpdate");
    *(void **)&finish = found(library, "EVP_EncryptFinal_ex");
    *(void **)&control = found(library, "EVP_CIPHER_CTX_ctrl");
}

static void *keyed(const void *algorithm)
{
    static const unsigned char key[32] = {7};
    void *context = cipher_new();
    begin(context, algorithm, NULL, NULL, NULL);
    control(context, SET_NONCE_LENGTH, NONCE, NULL);
    begin(context, NULL, NULL, key, NULL);
    return context;
}

static int seal(void *context, uint32_t counter, const unsigned char *aad, int aad_length, const unsigned char *in, int length,
                unsigned char *out, int tag)
{
    unsigned char nonce[12] = {0};
    int did = 0, rest = 0;
    memcpy(nonce, &counter, sizeof counter);
    begin(context, NULL, NULL, NULL, nonce);
    if (aad_length)
        update(context, NULL, &did, aad, aad_length);
    update(context, out, &did, in, length);
    finish(context, out + did, &rest);
    control(context, GET_TAG, tag, out + did);
    return did + tag;
}

/* 16 to 24 kHz in a straight line, to the very bytes that the others encode. */
static int read_speech(int16_t *speech, int most, int files, char **names)
{
    static int16_t raw[1 << 20];
    int have = 0, made = 0;
    for (int i = 0; i < files; i++) {
        FILE *file = fopen(names[i], "rb");
        if (!file || fseek(file, 44, SEEK_SET))
            cannot("the recordings under tests/speech are not there: take a whole checkout");
        have += (int)fread(raw + have, 2, (1 << 20) - have - 2, file);
        fclose(file);
    }
    for (int at = 0; at + 2 < have && made + 3 <= most; at += 2) {
        int a = raw[at], b = raw[at + 1], c = raw[at + 2];
        speech[made++] = (int16_t)a;
        speech[made++] = (int16_t)((a + 2 * b + 98304) / 3 - 32768);
        speech[made++] = (int16_t)((2 * b + c + 98304) / 3 - 32768);
    }
    return made / FRAME;
}

static int outlet(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(in, (struct sockaddr *)&address, length) || getsockname(in, (struct sockaddr *)&address, &length)
        || connect(out, (struct sockaddr *)&address, length))
        exit(1);
    return out;
}

static double spent(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
    static int16_t speech[1 << 19];
    unsigned char opus[4000], frame[4000], packet[4000] = {0x80, 120};
    static const unsigned char trailer[] = {12, 0xfa, 0xfa};
    int frames, code = 0, sent = 0, out = outlet();
    if (argc < 4)
        return 1;
    void *library = dlopen(argv[1], RTLD_NOW);
    create_t create = (create_t)found(library, "opus_encoder_create");
    encode_t encode = (encode_t)found(library, "opus_encode");
    ctl_t ctl = (ctl_t)found(library, "opus_encoder_ctl");
    load_crypto();
    frames = read_speech(speech, atoi(argv[2]) * FRAME, argc - 3, argv + 3);
    void *encoder = create(24000, 1, AUDIO, &code), *dave = keyed(aes_128()), *road = keyed(aes_256());
    ctl(encoder, BITRATE, 64000);
    ctl(encoder, COMPLEXITY, 5);
    double began = 0;
    for (uint32_t number = 0; number < (uint32_t)(frames * (PASSES + 1)); number++) {
        if (number == (uint32_t)frames)
            began = spent();
        int length = encode(encoder, speech + number % frames * FRAME, FRAME, opus, sizeof opus);
        length = seal(dave, number, NULL, 0, opus, length, frame, SHORT_TAG);
        frame[length++] = (unsigned char)number;
        memcpy(frame + length, trailer, sizeof trailer);
        length += sizeof trailer;
        memcpy(packet + 4, &number, sizeof number);
        length = HEADER + seal(road, number, packet, HEADER, frame, length, packet + HEADER, TAG);
        memcpy(packet + length, &number, sizeof number);
        sent += send(out, packet, length + sizeof number, 0) > 0;
    }
    double each = (spent() - began) / (frames * PASSES);
    if (sent != frames * (PASSES + 1))
        return 1;
    printf("{\"values\": {\"us\": %.3f}}\n", each);
    return 0;
}
